import { t } from '@lingui/core/macro'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { cx } from '../../ui/class-names.ts'
import { Field, Input } from '../../ui/fields/field.tsx'

interface SecretFieldProps extends Omit<ComponentProps<'input'>, 'onChange' | 'value' | 'type'> {
  label: string
  hint?: ReactNode
  error?: string | null
  value: string
  onChange: (value: string) => void
}

/** Field for a password or a key, which can be shown. */
export function SecretField({ label, hint, error, value, onChange, className, ...rest }: SecretFieldProps) {
  const [isShown, setShown] = useState(false)
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <div className="relative">
          <Input
            spellCheck={false}
            required
            {...rest}
            {...control}
            type={isShown ? 'text' : 'password'}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            className={cx('h-11 pr-16', className)}
          />
          <button
            type="button"
            aria-pressed={isShown}
            onClick={() => setShown(!isShown)}
            className="absolute inset-y-1 right-1 rounded-control px-3 text-sm font-medium text-muted hover:text-ink"
          >
            {isShown ? t`Hide` : t`Show`}
          </button>
        </div>
      )}
    </Field>
  )
}
