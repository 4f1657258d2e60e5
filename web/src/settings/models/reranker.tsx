import type { ModelDefaults } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useMe, useWorkspaceId } from '../../access/access.ts'
import { useModels } from '../../agents/agents.ts'
import { explain, explainField } from '../../platform/errors.ts'
import { formatDuration } from '../../platform/format.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Select } from '../../ui/fields/choice.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { ReadProblem } from '../../ui/notices/read-problem.tsx'
import { toast } from '../../ui/overlays/toasts.tsx'
import { SettingSection } from '../setting-section.tsx'
import { ModelField } from './model-field.tsx'
import { ModelOutcome } from './model-outcome.tsx'
import { putReranking, testReranker, useModelDefaults } from './models.queries.ts'

/** Name of a model, the same in every language. */
const EXAMPLE = 'jina/jina-reranker-v2-base-multilingual'

type Source = 'environment' | 'workspace' | 'none'

const LOOKS_LIKE_RERANKER = /rerank/i

/** Model that orders what searches find. */
export function Reranker() {
  const { data: defaults, error, isLoading, refetch } = useModelDefaults()
  return (
    <SettingSection
      title={t`Order of what is found`}
      isWaiting={isLoading}
      about={t`A reranker reads the question together with the best passages, and puts those first that answer it. Each search sends them to it and waits for it a little; when it fails, the usual order stays.`}
    >
      {error && <ReadProblem error={error} onRetry={refetch} />}
      {defaults && <RerankerForm defaults={defaults} key={defaults.reranking ?? ''} />}
    </SettingSection>
  )
}

function RerankerForm({ defaults: { reranking, server } }: { defaults: ModelDefaults }) {
  const workspaceId = useWorkspaceId()
  const isNarrowed = useMe().data?.key.scopes != null
  const sourceId = useId()
  const stored: Source = reranking === null ? 'environment' : reranking === 'none' ? 'none' : 'workspace'
  const [source, setSource] = useState<Source>(stored)
  const [model, setModel] = useState(stored === 'workspace' ? (reranking ?? '') : '')
  const groups = useRerankers()
  const chosen = source === 'environment' ? null : source === 'none' ? 'none' : model
  const testing = useMutation({ mutationFn: () => testReranker(workspaceId, model) })
  const saving = useMutation({
    mutationFn: () => putReranking(workspaceId, chosen),
    onSuccess: () => toast(t`The reranker was saved`),
  })
  const problem = explainField(saving.error, 'reranking')
  return (
    <form
      className="max-w-xl space-y-4"
      onSubmit={(event) => {
        event.preventDefault()
        saving.mutate()
      }}
    >
      <div>
        <label htmlFor={sourceId} className="mb-1.5 block font-medium">
          <Trans>Reranker</Trans>
        </label>
        <Select
          id={sourceId}
          value={source}
          disabled={isNarrowed}
          onChange={({ target }) => {
            saving.reset()
            setSource(target.value as Source)
          }}
        >
          <option value="environment">
            {server.reranking ? t`As the server has it: ${server.reranking}` : t`As the server has it: none`}
          </option>
          <option value="workspace">{t`A model of our providers`}</option>
          <option value="none">{t`None: the usual order`}</option>
        </Select>
      </div>
      {source === 'workspace' && (
        <ModelField
          label={t`Reranking model`}
          hint={t`Of an OpenAI-compatible provider above whose address has /rerank, as PROVIDER/MODEL: Jina, vLLM, LiteLLM and others.`}
          error={problem}
          disabled={isNarrowed}
          groups={groups}
          example={EXAMPLE}
          value={model}
          onChange={(model) => {
            saving.reset()
            testing.reset()
            setModel(model)
          }}
        />
      )}
      {source === 'workspace' && !testing.isPending && (
        <ModelOutcome
          tested={testing.data}
          answered={t`after ${formatDuration(testing.data?.latency_ms ?? 0)}`}
          error={testing.error}
        />
      )}
      {saving.error && !problem && <Notice>{explain(saving.error)}</Notice>}
      {!isNarrowed && (
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="primary" isBusy={saving.isPending} disabled={chosen === reranking}>
            <Trans>Save the reranker</Trans>
          </Button>
          {source === 'workspace' && (
            <Button isBusy={testing.isPending} disabled={!model} onClick={() => testing.mutate()}>
              <Trans>Test the model</Trans>
            </Button>
          )}
        </div>
      )}
    </form>
  )
}

/** Models whose names say that they rerank, by provider. Others can be typed. */
function useRerankers() {
  const { data } = useModels()
  return (data?.providers ?? [])
    .map(({ name, models }) => ({
      name,
      choices: models.filter((id) => LOOKS_LIKE_RERANKER.test(id)).map((value) => ({ value })),
    }))
    .filter(({ choices }) => choices.length > 0)
}
