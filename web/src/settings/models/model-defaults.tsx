import type { ModelDefaults as Defaults, PutModelDefaults } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useMe, useWorkspaceId } from '../../access/access.ts'
import { modelChoices, useModels } from '../../agents/agents.ts'
import { explain, explainField } from '../../platform/errors.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Combobox } from '../../ui/fields/combobox.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { toast } from '../../ui/overlays/toasts.tsx'
import { SettingSection } from '../setting-section.tsx'
import { putModelDefaults, useModelDefaults } from './models.queries.ts'

/** Models for kinds of work, where nothing else is chosen. */
export function ModelDefaults() {
  const { data, error, isLoading } = useModelDefaults()
  return (
    <SettingSection
      title={t`Defaults`}
      isWaiting={isLoading}
      about={t`Agents may name a model of their own; these count for all others. A change counts from the next answer on.`}
    >
      {error && <Notice>{explain(error)}</Notice>}
      {data && <DefaultsForm defaults={data} />}
    </SettingSection>
  )
}

function DefaultsForm({ defaults }: { defaults: Defaults }) {
  const workspaceId = useWorkspaceId()
  const isNarrowed = useMe().data?.key.scopes != null
  const { data: models } = useModels()
  const stored = {
    answers: defaults.answers,
    summaries: defaults.summaries,
    titles: defaults.titles,
    transcription: defaults.transcription,
  }
  const [draft, setDraft] = useState<Omit<Required<PutModelDefaults>, 'reranking'>>(stored)
  const saving = useMutation({
    mutationFn: () => putModelDefaults(workspaceId, { ...draft, reranking: defaults.reranking }),
    onSuccess: () => toast(t`The defaults were saved`),
  })
  const choices = models ? modelChoices(models) : []
  const fields = [
    ['answers', t`Answers`, t`As the server has it`, defaults.server.answers, undefined],
    ['summaries', t`Summaries of long chats`, t`The model of the agent`, undefined, t`A small, cheap model does.`],
    ['titles', t`Titles of chats`, t`None: the first words of the question`, undefined, t`A small, cheap model does.`],
    [
      'transcription',
      t`Speech`,
      t`None: the browser may transcribe what is dictated`,
      undefined,
      t`Transcribes dictated questions and recordings in folders: a speech model of OpenAI or an OpenAI-compatible server, such as openai/whisper-1.`,
    ],
  ] as const
  const isChanged = fields.some(([key]) => draft[key] !== stored[key])
  const errors = fields.map(([key]) => explainField(saving.error, key))
  return (
    <form
      className="max-w-xl space-y-4"
      onSubmit={(event) => {
        event.preventDefault()
        saving.mutate()
      }}
    >
      {fields.map(([key, label, usual, aside, hint], at) => (
        <Field key={key} label={label} hint={hint} error={errors[at]}>
          {(control) => (
            <Combobox
              {...control}
              className="font-mono text-sm"
              disabled={isNarrowed}
              groups={[
                { name: t`Default`, choices: [{ value: '', label: usual, aside }] },
                ...(key === 'transcription' ? [] : choices),
              ]}
              placeholder={aside ? t`${usual}: ${aside}` : usual}
              pattern="[a-z0-9\-]+/\S+"
              title={t`PROVIDER/MODEL, for instance openai/gpt-5-mini`}
              value={draft[key] ?? ''}
              onChange={(text) => {
                saving.reset()
                setDraft((before) => ({ ...before, [key]: text.trim() || null }))
              }}
            />
          )}
        </Field>
      ))}
      {saving.error && errors.every((error) => !error) && <Notice>{explain(saving.error)}</Notice>}
      {!isNarrowed && (
        <Button type="submit" variant="primary" isBusy={saving.isPending} disabled={!isChanged}>
          <Trans>Save</Trans>
        </Button>
      )}
    </form>
  )
}
