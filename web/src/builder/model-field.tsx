import type { ModelCheck, Models } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useMay } from '../access/access.ts'
import { modelChoices, useModels } from '../agents/agents.ts'
import { explain } from '../platform/errors.ts'
import { formatDuration } from '../platform/format.ts'
import { Button } from '../ui/controls/button.tsx'
import { type ChoiceGroup, Combobox } from '../ui/fields/combobox.tsx'
import { Field } from '../ui/fields/field.tsx'
import { Badge } from '../ui/notices/badge.tsx'
import { checkModel } from './builder.queries.ts'

interface ModelFieldProps {
  model: string | null
  onChange: (model: string | null) => void
}

/** Field for the model: a list of the server's models to search, and a test of the chosen one. */
export function ModelField({ model, onChange }: ModelFieldProps) {
  const mayManage = useMay('manage_agents')
  const { data: models } = useModels(mayManage)
  const check = useMutation({ mutationFn: () => checkModel(model) })
  const provider = models?.providers.find(({ id }) => model?.startsWith(`${id}/`))
  const isOutdated = check.data && check.data.model !== (model ?? models?.default_model)
  return (
    <div>
      <div className="flex flex-wrap items-end gap-2">
        <div className="min-w-72 flex-1">
          <Field
            label={t`Model`}
            error={provider?.missing_setting ? notSetUp(provider.name, provider.missing_setting) : null}
          >
            {(control) => (
              <Combobox
                {...control}
                className="font-mono text-sm"
                groups={models ? groupsOf(models) : []}
                placeholder={models ? t`Default: ${models.default_model}` : t`The server’s default`}
                pattern="[a-z\-]+/\S+"
                title={t`PROVIDER/MODEL, for instance openai/gpt-5-mini`}
                value={model ?? ''}
                onChange={(text) => onChange(text.trim() || null)}
              />
            )}
          </Field>
        </div>
        {mayManage && (
          <Button isBusy={check.isPending} onClick={() => check.mutate()} className="mb-px">
            <Trans>Check that it answers</Trans>
          </Button>
        )}
      </div>
      <div aria-live="polite" className="mt-1.5 text-sm text-muted">
        {Object.entries(models?.list_problems ?? {}).map(([id, problem]) => (
          <p key={id}>{problem}</p>
        ))}
        {check.error && <p className="text-bad">{explain(check.error)}</p>}
        {check.data && !isOutdated && !check.isPending ? (
          <Outcome check={check.data} />
        ) : (
          <p>
            <Trans>
              PROVIDER/MODEL, or empty for the server’s default. <code className="font-mono">builtin/extractive</code>{' '}
              needs no key: it quotes the documents.
            </Trans>
          </p>
        )}
      </div>
    </div>
  )
}

function groupsOf(models: Models): ChoiceGroup[] {
  const usual = { value: '', label: t`The server’s default`, aside: models.default_model }
  return [{ name: t`Default`, choices: [usual] }, ...modelChoices(models)]
}

const notSetUp = (name: string, setting: string) =>
  t`${name} is not set up on this server: its operator has to set ${setting}.`

function Outcome({ check: { model, answers, first_token_ms, error_message, can_converse } }: { check: ModelCheck }) {
  if (!answers)
    return (
      <p className="wrap-anywhere">
        <Badge tone="bad">
          <Trans>Does not answer</Trans>
        </Badge>{' '}
        {error_message}
      </p>
    )
  return (
    <p className="wrap-anywhere">
      <Badge tone="good">
        <Trans>Has answered</Trans>
      </Badge>{' '}
      {model}
      {first_token_ms !== null && t` began after ${formatDuration(first_token_ms)}`}
      {!can_converse && t`. It quotes documents, and writes no texts of its own`}.
    </p>
  )
}
