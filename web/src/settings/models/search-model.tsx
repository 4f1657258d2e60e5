import type { ChooseSearchIndex, SearchIndex } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useMe, useWorkspaceId } from '../../access/access.ts'
import { useModels } from '../../agents/agents.ts'
import { explain, explainField } from '../../platform/errors.ts'
import { formatDuration, formatNumber } from '../../platform/format.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Select } from '../../ui/fields/choice.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { ReadProblem } from '../../ui/notices/read-problem.tsx'
import { SettingSection } from '../setting-section.tsx'
import { IndexProgress } from './index-progress.tsx'
import { ModelField } from './model-field.tsx'
import { ModelOutcome } from './model-outcome.tsx'
import { chooseSearchIndex, testEmbeddingModel, useSearchIndex } from './models.queries.ts'

/** Name of a model, the same in every language. */
const EXAMPLE = 'openai/text-embedding-3-small'

type Source = ChooseSearchIndex['source']

const LOOKS_LIKE_EMBEDDINGS = /embed|bge-|e5-|minilm|gte-/i

/** Embedding model behind the search, and the index that is being built for another. */
export function SearchModel() {
  const { data: index, error, isLoading, refetch } = useSearchIndex()
  return (
    <SettingSection
      title={t`Search by meaning`}
      isWaiting={isLoading}
      about={t`An embedding model also finds what says the same in other words. Texts of all files are sent to it once, and each search. Another model needs an index of its own: until that is whole, searches go to the old one.`}
    >
      {error && <ReadProblem error={error} onRetry={refetch} />}
      {index && (
        <div className="max-w-xl space-y-4">
          <p>
            <Trans>Searches use:</Trans> <ChoiceName {...index.serving} />
          </p>
          {index.building && <IndexProgress building={index.building} name={<ChoiceName {...index.building} />} />}
          <SearchModelForm index={index} key={index.serving.source + (index.serving.model ?? '')} />
        </div>
      )}
    </SettingSection>
  )
}

function ChoiceName({ source, model }: { source: Source; model: string | null }) {
  if (model === null) return <Trans>words alone</Trans>
  return (
    <>
      <code className="font-mono text-sm wrap-anywhere">{model}</code>
      {source === 'environment' && (
        <span className="text-muted">
          {' '}
          <Trans>(as the server has it)</Trans>
        </span>
      )}
    </>
  )
}

function SearchModelForm({ index: { serving, environment, local_models } }: { index: SearchIndex }) {
  const workspaceId = useWorkspaceId()
  const isNarrowed = useMe().data?.key.scopes != null
  const sourceId = useId()
  const [source, setSource] = useState<Source>(serving.source)
  const [model, setModel] = useState(serving.source === 'workspace' ? (serving.model ?? '') : '')
  const groups = useEmbeddingChoices(local_models)
  const testing = useMutation({ mutationFn: () => testEmbeddingModel(workspaceId, model) })
  const choosing = useMutation({
    mutationFn: () => chooseSearchIndex(workspaceId, { source, model: source === 'workspace' ? model : null }),
  })
  const isNew = source !== serving.source || (source === 'workspace' && model !== serving.model)
  const problem = explainField(choosing.error, 'model')
  const length = formatNumber(testing.data?.dimensions ?? 0)
  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault()
        choosing.mutate()
      }}
    >
      <div>
        <label htmlFor={sourceId} className="mb-1.5 block font-medium">
          <Trans>Embeddings</Trans>
        </label>
        <Select
          id={sourceId}
          value={source}
          disabled={isNarrowed}
          onChange={({ target }) => {
            choosing.reset()
            setSource(target.value as Source)
          }}
        >
          <option value="environment">
            {environment.model ? t`As the server has it: ${environment.model}` : t`As the server has it: words alone`}
          </option>
          <option value="workspace">{t`A model of our providers`}</option>
          <option value="none">{t`None: words alone`}</option>
        </Select>
      </div>
      {source === 'workspace' && (
        <ModelField
          label={t`Embedding model`}
          hint={t`Of any provider above, as PROVIDER/MODEL; or local/FOLDER for a model on the server’s disk.`}
          error={problem}
          disabled={isNarrowed}
          groups={groups}
          example={EXAMPLE}
          value={model}
          onChange={(model) => {
            choosing.reset()
            testing.reset()
            setModel(model)
          }}
        />
      )}
      {source === 'workspace' && !testing.isPending && (
        <ModelOutcome
          tested={testing.data}
          answered={t`vectors of ${length} numbers, after ${formatDuration(testing.data?.latency_ms ?? 0)}`}
          error={testing.error}
        />
      )}
      {choosing.error && !problem && <Notice>{explain(choosing.error)}</Notice>}
      {!isNarrowed && (
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="primary" isBusy={choosing.isPending} disabled={!isNew}>
            <Trans>Build the index</Trans>
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

/** Models whose names say that they make embeddings, by provider. Others can be typed. */
function useEmbeddingChoices(local: string[]) {
  const { data } = useModels()
  const groups = (data?.providers ?? []).map(({ name, models }) => ({
    name,
    choices: models.filter((id) => LOOKS_LIKE_EMBEDDINGS.test(id)).map((value) => ({ value })),
  }))
  const onDisk = { name: t`On the server’s disk`, choices: local.map((value) => ({ value })) }
  return [...groups, onDisk].filter(({ choices }) => choices.length > 0)
}
