import { t } from '@lingui/core/macro'
import type { ComponentProps } from 'react'
import { Combobox } from '../../ui/fields/combobox.tsx'
import { Field } from '../../ui/fields/field.tsx'

interface ModelFieldProps extends Pick<ComponentProps<typeof Field>, 'label' | 'hint' | 'error'> {
  disabled: boolean
  groups: ComponentProps<typeof Combobox>['groups']
  /** Name of a model, the same in every language. */
  example: string
  value: string
  onChange: (model: string) => void
}

/** Name of a model as PROVIDER/MODEL, chosen from those that are known or typed. */
export const ModelField = ({ label, hint, error, disabled, groups, example, value, onChange }: ModelFieldProps) => (
  <Field label={label} hint={hint} error={error}>
    {(control) => (
      <Combobox
        {...control}
        className="font-mono text-sm"
        required
        disabled={disabled}
        groups={groups}
        placeholder={example}
        pattern="[a-z0-9\-]+/\S+"
        title={t`PROVIDER/MODEL, for instance ${example}`}
        value={value}
        onChange={(text) => onChange(text.trim())}
      />
    )}
  </Field>
)
