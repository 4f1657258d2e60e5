import { t } from '@lingui/core/macro'
import { type ComponentProps, type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { cx } from '../class-names.ts'

const boxClass = cx(
  'rounded-control border border-line-strong/60 bg-raised px-3 text-ink',
  'transition-colors duration-150 hover:border-line-strong focus-visible:border-accent focus-visible:outline-offset-0',
  'aria-invalid:border-bad text-ellipsis',
)

/** Classes of every text field. */
export const inputClass = cx(boxClass, 'w-full py-2')

/** Classes of a text field as high as a button beside it, with a given width. */
export const compactClass = cx(boxClass, 'h-9 pointer-coarse:h-10')

interface FieldProps {
  label: string
  /** Whether the label is for assistive technology only, in rows whose fields tell what they are. */
  isLabelHidden?: boolean
  /** Hint in one sentence. */
  hint?: ReactNode
  error?: string | null
  /** Receives the attributes that tie the control to its label, hint and error. */
  children: (control: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }) => ReactNode
}

/** Field with its label and error. The browser's own validation messages are shown in the same way. */
export function Field({ label, isLabelHidden = false, hint, error: given, children }: FieldProps) {
  const id = useId()
  const [found, setFound] = useState<string | null>(null)
  const error = found ?? given
  const refused = useRef<HTMLInputElement>(null)
  // Another field may decide whether this one is needed.
  useEffect(() => {
    if (found !== null && refused.current?.validity.valid) setFound(null)
  })
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')

  function onInvalid(event: FormEvent) {
    const box = event.target as HTMLInputElement
    event.preventDefault()
    refused.current = box
    setFound(explainValidity(box))
    if (box.form?.querySelector(':is(input, select, textarea):invalid') === box) box.focus()
  }
  return (
    <div onInvalidCapture={onInvalid} onInput={() => setFound(null)}>
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'mb-1.5 block font-medium'}>
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

function explainValidity({
  validity,
  validationMessage,
  type,
  value,
  min,
  max,
  minLength,
  title,
}: HTMLInputElement): string {
  if (validity.valueMissing || (validity.patternMismatch && !value.trim()))
    return type.startsWith('select') ? t`Choose one.` : t`Fill this in.`
  if (validity.typeMismatch && type === 'email') return t`Write a whole e-mail address, such as ada@example.com.`
  if (validity.typeMismatch) return t`Write a whole address, such as https://example.com.`
  if (validity.badInput) return /^date/.test(type) ? t`Write a whole date.` : t`Write a number.`
  if (validity.rangeUnderflow) return t`Write ${min} or more.`
  if (validity.rangeOverflow) return t`Write ${max} or less.`
  if (validity.stepMismatch) return t`Write a whole number.`
  if (validity.tooShort) return t`Length in characters: at least ${minLength}.`
  if (validity.patternMismatch && title) return t`Write ${title}.`
  return validationMessage
}

export const Input = ({ className, ...rest }: ComponentProps<'input'>) => (
  <input dir="auto" {...rest} className={cx(inputClass, className)} />
)

export const Textarea = ({ className, ...rest }: ComponentProps<'textarea'>) => (
  <textarea dir="auto" {...rest} className={cx(inputClass, 'block resize-y', className)} />
)
