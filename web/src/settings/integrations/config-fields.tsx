import { t } from '@lingui/core/macro'
import { Fragment, type ReactNode } from 'react'
import { CheckField, Select } from '../../ui/fields/choice.tsx'
import { Field, Input } from '../../ui/fields/field.tsx'
import type { ConfigField } from './kinds/shared-fields.ts'

interface ConfigFieldsProps {
  fields: ConfigField[]
  /** Takes the place of the field that a login fills. */
  login: ReactNode
  values: Record<string, string>
  /** Whether a secret is stored already, and stays if its field is left empty. */
  hasSecrets: boolean
  errorAt: (name: string) => string | null
  onChange: (name: string, value: string) => void
}

/** Fields of one kind of source. */
export const ConfigFields = ({ fields, login, values, hasSecrets, errorAt, onChange }: ConfigFieldsProps) =>
  fields.map(({ name, label, hint, type, isRequired, isOn = false, placeholder, options, isLogin }) =>
    isLogin ? (
      <Fragment key={name}>{login}</Fragment>
    ) : type === 'switch' ? (
      <CheckField
        key={name}
        label={label}
        hint={hint}
        checked={(values[name] ?? String(isOn)) === 'true'}
        onChange={({ target }) => onChange(name, String(target.checked))}
      />
    ) : (
      <Field key={name} label={label} hint={hint} error={errorAt(name)}>
        {(control) =>
          options ? (
            <Select {...control} value={values[name] ?? ''} onChange={({ target }) => onChange(name, target.value)}>
              {Object.entries(options).map(([value, text]) => (
                <option key={value} value={value}>
                  {text}
                </option>
              ))}
            </Select>
          ) : (
            <Input
              {...control}
              type={type === 'secret' ? 'password' : undefined}
              required={isRequired}
              inputMode={type === 'number' ? 'numeric' : undefined}
              pattern={type === 'number' ? '[0-9]*' : undefined}
              title={type === 'number' ? t`a whole number` : undefined}
              placeholder={type === 'secret' && hasSecrets ? t`unchanged` : placeholder}
              spellCheck={false}
              autoComplete={type === 'secret' ? 'new-password' : 'off'}
              value={values[name] ?? ''}
              onChange={({ target }) => onChange(name, target.value)}
            />
          )
        }
      </Field>
    ),
  )
