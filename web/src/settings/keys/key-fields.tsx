import { t } from '@lingui/core/macro'
import { Select } from '../../ui/fields/choice.tsx'
import { Field, Input } from '../../ui/fields/field.tsx'
import { EXPIRIES } from './key-words.ts'

interface KeyNameFieldProps {
  hint: string
  name: string
  onChange: (name: string) => void
}

export const KeyNameField = ({ hint, name, onChange }: KeyNameFieldProps) => (
  <Field label={t`Name`} hint={hint}>
    {(control) => (
      <Input
        {...control}
        autoFocus
        required
        maxLength={256}
        value={name}
        onChange={({ target }) => onChange(target.value)}
      />
    )}
  </Field>
)

/** @param days that the key works; 0: without an end */
export const KeyExpiryField = ({ days, onChange }: { days: number; onChange: (days: number) => void }) => (
  <Field label={t`Expires`}>
    {(control) => (
      <Select {...control} value={days} onChange={({ target }) => onChange(Number(target.value))}>
        {EXPIRIES.map((one) => (
          <option key={one.days} value={one.days}>
            {one.name}
          </option>
        ))}
      </Select>
    )}
  </Field>
)
