import { type ComponentProps, type ReactNode, useId } from 'react'
import { Checkbox } from './checkbox.tsx'
import { cx } from './class-names.ts'
import { inputClass } from './field.tsx'

/** One of a few, as the browser's own list. */
export const Select = ({ className, ...rest }: ComponentProps<'select'>) => (
  <select {...rest} className={cx(inputClass, 'h-9 py-0 pr-8 pointer-coarse:h-10', className)} />
)

interface CheckFieldProps extends ComponentProps<typeof Checkbox> {
  label: ReactNode
  hint?: ReactNode
}

/** Something to be switched on, with its words beside it. */
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
