import type { ReactNode } from 'react'
import { Field, Input } from './field.tsx'

interface VendorFieldProps {
  label: string
  hint: ReactNode
  error: string | null
  required: boolean
  value: string
  onChange: (value: string) => void
}

/** Field for the API key of a vendor; browsers offer no password for it, and keep none. */
export const KeyField = ({ label, hint, error, onChange, ...box }: VendorFieldProps & { autoFocus?: boolean }) => (
  <Field label={label} hint={hint} error={error}>
    {(control) => (
      <Input
        {...control}
        {...box}
        type="password"
        autoComplete="new-password"
        spellCheck={false}
        maxLength={1000}
        onChange={({ target }) => onChange(target.value)}
      />
    )}
  </Field>
)

/** Field for the address of a vendor's API. @param placeholder the address that is used without one */
export const AddressField = ({ label, hint, error, onChange, ...box }: VendorFieldProps & { placeholder: string }) => (
  <Field label={label} hint={hint} error={error}>
    {(control) => (
      <Input
        {...control}
        {...box}
        type="url"
        spellCheck={false}
        maxLength={2000}
        onChange={({ target }) => onChange(target.value)}
      />
    )}
  </Field>
)
