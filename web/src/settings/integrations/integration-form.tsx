import type { Integration } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { explain, explainField } from '../../platform/errors.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Select } from '../../ui/fields/choice.tsx'
import { Field, Input } from '../../ui/fields/field.tsx'
import { FormDialog } from '../../ui/overlays/form-dialog.tsx'
import { ConfigFields } from './config-fields.tsx'
import { toConfig, toValues, withoutSecrets } from './config-values.ts'
import { explainConfig } from './explain-config.ts'
import { INTEGRATION_KINDS } from './integration-kinds.ts'
import { createIntegration, testIntegration, updateIntegration } from './integrations.queries.ts'
import { keepDraft, type SourceDraft } from './source-draft.ts'
import { SourceLogin } from './source-login.tsx'

interface IntegrationFormProps {
  /** The one whose settings are changed; absent: a new one is made. */
  integration?: Integration
  /** Content from before its person left it to log in. */
  draft?: SourceDraft
  /** Login that they came back with. */
  made?: { id: string; account: string }
  /** Reason why there is none. */
  loginError?: string | null
  onClose: () => void
}

/** Links a source to a new folder, or changes the settings of one that is linked. */
export function IntegrationForm({ integration, draft, made, loginError, onClose }: IntegrationFormProps) {
  const [kind, setKind] = useState(integration?.kind ?? draft?.kind ?? Object.keys(INTEGRATION_KINDS)[0]!)
  const { about, provider, fields } = INTEGRATION_KINDS[kind]!
  const [name, setName] = useState(draft?.name ?? '')
  const [values, setValues] = useState(() => ({
    ...(draft?.values ?? (integration ? toValues(fields, integration.config) : {})),
    ...(made && { connection: made.id }),
  }))
  const config = toConfig(fields, values, { isChange: integration !== undefined })
  const saving = useMutation({
    mutationFn: () =>
      integration
        ? updateIntegration(integration.id, { config })
        : createIntegration({ kind, knowledge_base_name: name.trim(), config }),
    onSuccess: onClose,
  })
  const testing = useMutation({
    mutationFn: () => testIntegration({ kind, config, integration_id: integration?.id }),
    onMutate: () => saving.reset(),
  })
  const error = saving.error ?? testing.error
  const testRow = useRef<HTMLDivElement>(null)
  // The form is longer than a screen, and both buttons are at its end.
  useEffect(() => {
    if (error) testRow.current?.closest('form')?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [error])
  const errorAt = (path: string) => explainField(error, path)
  const configErrorAt = (field: string) => explainConfig(error, field, fields)
  const isAnywhere = errorAt('knowledge_base_name') !== null || fields.some((field) => configErrorAt(field.name))
  return (
    <FormDialog
      title={integration ? t`Change the source` : t`Link a source`}
      width="wide"
      onClose={onClose}
      saving={{ error: isAnywhere ? null : saving.error, isPending: saving.isPending }}
      save={integration ? t`Save and sync` : t`Link it`}
      onSave={() => {
        testing.reset()
        saving.mutate()
      }}
    >
      {integration ? (
        <p className="text-muted">{about}</p>
      ) : (
        <>
          <Field label={t`Source`} hint={about}>
            {(control) => (
              <Select
                {...control}
                value={kind}
                onChange={({ target }) => {
                  setKind(target.value)
                  saving.reset()
                  testing.reset()
                }}
              >
                {Object.entries(INTEGRATION_KINDS).map(([value, one]) => (
                  <option key={value} value={value}>
                    {one.name}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <Field
            label={t`Name of the folder`}
            hint={t`Created in Drive. Only the source changes its content.`}
            error={errorAt('knowledge_base_name')}
          >
            {(control) => (
              <Input
                {...control}
                required
                maxLength={256}
                value={name}
                onChange={({ target }) => setName(target.value)}
              />
            )}
          </Field>
        </>
      )}
      <ConfigFields
        fields={fields}
        login={
          provider && (
            <SourceLogin
              provider={provider}
              made={values.connection ? made : undefined}
              connection={integration?.connection}
              error={configErrorAt('connection') ?? (values.connection ? null : (loginError ?? null))}
              onLeave={() =>
                keepDraft({ integrationId: integration?.id, kind, name, values: withoutSecrets(fields, values) })
              }
            />
          )
        }
        values={values}
        hasSecrets={integration !== undefined}
        errorAt={configErrorAt}
        onChange={(field, value) => setValues((all) => ({ ...all, [field]: value }))}
      />
      <div ref={testRow} className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button isBusy={testing.isPending} onClick={() => testing.mutate()}>
          <Trans>Test connection</Trans>
        </Button>
        <p role="status" className="min-w-0 flex-1 text-sm text-muted wrap-anywhere">
          <TestResult names={testing.data} error={isAnywhere ? null : testing.error} />
        </p>
      </div>
    </FormDialog>
  )
}

function TestResult({ names, error }: { names?: string[]; error: Error | null }) {
  if (error) return explain(error)
  if (!names) return null
  if (names.length === 0) return t`The source can be read, and is empty.`
  const list = names.join(', ')
  return t`The source can be read: ${list}`
}
