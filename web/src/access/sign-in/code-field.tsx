import type { ReactNode } from 'react'
import { Field, Input } from '../../ui/fields/field.tsx'

interface CodeFieldProps {
  label: string
  hint?: ReactNode
  /** Whether letters are typed, too. */
  isRecovery?: boolean
  value: string
  onChange: (value: string) => void
}

/** Field for a code of an authenticator app, or a recovery code. */
export const CodeField = ({ label, hint, isRecovery = false, value, onChange }: CodeFieldProps) => (
  <Field label={label} hint={hint}>
    {(control) => (
      <Input
        {...control}
        autoComplete="one-time-code"
        inputMode={isRecovery ? 'text' : 'numeric'}
        autoCapitalize="off"
        spellCheck={false}
        autoFocus
        required
        maxLength={40}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="h-11 font-mono tracking-widest"
      />
    )}
  </Field>
)
