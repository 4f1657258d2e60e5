import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { explainField } from '../../platform/errors.ts'
import { Select } from '../../ui/fields/choice.tsx'
import { Field, Input } from '../../ui/fields/field.tsx'
import { FormDialog } from '../../ui/overlays/form-dialog.tsx'
import { INTEGRATION_KINDS, toConfig } from './integration-kinds.ts'
import { createIntegration } from './integrations.queries.ts'

/** Links a source to a new folder. */
export function IntegrationForm({ onClose }: { onClose: () => void }) {
  const [kind, setKind] = useState(Object.keys(INTEGRATION_KINDS)[0]!)
  const [name, setName] = useState('')
  const [values, setValues] = useState<Record<string, string>>({})
  const { about, fields } = INTEGRATION_KINDS[kind]!
  const making = useMutation({
    mutationFn: () => createIntegration({ kind, knowledge_base_name: name.trim(), config: toConfig(fields, values) }),
    onSuccess: onClose,
  })
  const errorAt = (path: string) => explainField(making.error, path)
  const isAnywhere = ['knowledge_base_name', ...fields.map((field) => `config.${field.name}`)].some(errorAt)
  return (
    <FormDialog
      title={t`Link a source`}
      isWide
      onClose={onClose}
      saving={{ error: isAnywhere ? null : making.error, isPending: making.isPending }}
      save={t`Link it`}
      onSave={() => making.mutate()}
    >
      <Field label={t`Source`} hint={about}>
        {(control) => (
          <Select {...control} value={kind} onChange={({ target }) => setKind(target.value)}>
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
          <Input {...control} required maxLength={256} value={name} onChange={({ target }) => setName(target.value)} />
        )}
      </Field>
      {fields.map((field) => (
        <Field key={field.name} label={field.label} hint={field.hint} error={errorAt(`config.${field.name}`)}>
          {(control) => (
            <Input
              {...control}
              required={field.isRequired}
              inputMode={field.type === 'number' ? 'numeric' : undefined}
              pattern={field.type === 'number' ? '[0-9]*' : undefined}
              title={field.type === 'number' ? t`a whole number` : undefined}
              placeholder={field.placeholder}
              spellCheck={false}
              autoComplete="off"
              value={values[field.name] ?? ''}
              onChange={({ target }) => setValues((all) => ({ ...all, [field.name]: target.value }))}
            />
          )}
        </Field>
      ))}
    </FormDialog>
  )
}
