import { type ComponentProps, type ReactNode, useId } from 'react'
import { cx } from './class-names.ts'

const boxClass = cx(
  'rounded-control border border-line-strong/60 bg-raised px-3 text-ink',
  'transition-colors duration-150 hover:border-line-strong focus-visible:border-accent focus-visible:outline-offset-0',
  'aria-invalid:border-bad text-ellipsis',
)

/** How every box to write into looks. */
export const inputClass = cx(boxClass, 'w-full py-2')

/** The same, as high as a button beside it, and as wide as it is told to be. */
export const compactClass = cx(boxClass, 'h-9 pointer-coarse:h-10')

interface FieldProps {
  label: string
  /** What is asked for, in a sentence. */
  hint?: ReactNode
  error?: string | null
  /** Receives what ties the control to its label, hint and error. */
  children: (control: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }) => ReactNode
}

export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId()
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block font-medium">
        {label}
      </label>
      {children({ id, 'aria-describedby': describedBy || undefined, 'aria-invalid': error ? true : undefined })}
      {hint && (
        <p id={`${id}-hint`} className="mt-1.5 text-sm text-muted text-pretty">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} role="alert" className="mt-1.5 text-sm text-bad">
          {error}
        </p>
      )}
    </div>
  )
}

export const Input = ({ className, ...rest }: ComponentProps<'input'>) => (
  <input {...rest} className={cx(inputClass, className)} />
)

export const Textarea = ({ className, ...rest }: ComponentProps<'textarea'>) => (
  <textarea {...rest} className={cx(inputClass, 'block resize-y', className)} />
)
