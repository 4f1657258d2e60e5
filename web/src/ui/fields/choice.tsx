import { type ComponentProps, type ReactNode, useId } from 'react'
import { cx } from '../class-names.ts'
import { ChevronDown } from '../icons.ts'
import { Checkbox } from './checkbox.tsx'
import { compactClass, inputClass } from './field.tsx'

interface SelectProps extends ComponentProps<'select'> {
  /** Whether it is as high as a text field beside it, and not as a button. */
  isTall?: boolean
}

/** Select box of the browser. `className` sets its place and width. */
export const Select = ({ className, isTall = false, ...rest }: SelectProps) => (
  <span className={cx('relative block', className)}>
    <select {...rest} className={cx(isTall ? inputClass : compactClass, 'w-full appearance-none pe-8')} />
    <ChevronDown
      size={15}
      className="pointer-events-none absolute top-1/2 inset-e-2.5 -translate-y-1/2 text-muted"
      aria-hidden
    />
  </span>
)

interface CheckFieldProps extends ComponentProps<typeof Checkbox> {
  label: ReactNode
  hint?: ReactNode
}

/** Checkbox with its label beside it. */
export function CheckField({ label, hint, className, ...rest }: CheckFieldProps) {
  const id = useId()
  return (
    <div className={cx('flex items-start gap-2.5', className)}>
      <Checkbox id={id} aria-describedby={hint ? `${id}-hint` : undefined} {...rest} className="mt-0.75" />
      <div className="min-w-0">
        <label htmlFor={id}>{label}</label>
        {hint && (
          <p id={`${id}-hint`} className="text-sm text-muted">
            {hint}
          </p>
        )}
      </div>
    </div>
  )
}
