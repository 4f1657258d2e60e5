import { t } from '@lingui/core/macro'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { X } from '../icons.ts'
import { inputClass } from './field.tsx'

interface TagInputProps {
  id: string
  tags: string[]
  onChange: (tags: string[]) => void
  /** Suggestions while typing. */
  known?: string[]
  /** Maximum length of a tag. */
  maxLength?: number
  placeholder?: string
  /** Pattern of every tag, as of an input; what does not match stays in the box. */
  pattern?: string
  /** Names what the pattern takes, after *Write*. */
  title?: string
  'aria-describedby'?: string
  'aria-invalid'?: true
}

/**
 * Field for a list of words: Enter or a comma adds one, Backspace in the empty box removes the last one. One that does not
 * match stays in the box, where the form refuses it.
 */
export function TagInput({ tags, onChange, known = [], maxLength = 64, placeholder, ...control }: TagInputProps) {
  const listId = useId()
  const [text, setText] = useState('')

  const box = useRef<HTMLInputElement>(null)
  const fits = (tag: string) => !control.pattern || new RegExp(`^(?:${control.pattern})$`, 'v').test(tag)

  function add(given: string) {
    const added = given
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean)
    setText(added.filter((tag) => !fits(tag)).join(' '))
    const fitting = added.filter(fits)
    if (fitting.length > 0) onChange([...new Set([...tags, ...fitting])])
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && text.trim()) {
      event.preventDefault()
      add(text)
      // The field says what is wrong with one that stayed.
      box.current!.checkValidity()
    } else if (event.key === 'Backspace' && text === '') onChange(tags.slice(0, -1))
  }

  return (
    <div
      className={`${inputClass} flex flex-wrap items-center gap-1.5 focus-within:border-accent has-aria-invalid:border-bad`}
    >
      {tags.map((tag) => (
        <span key={tag} className="flex items-center rounded-full bg-accent-soft ps-2.5 text-sm text-accent">
          {tag}
          <button
            type="button"
            aria-label={t`Remove ${tag}`}
            onClick={() => onChange(tags.filter((other) => other !== tag))}
            className="rounded-full p-1.5 hover:bg-hover"
          >
            <X size={13} aria-hidden />
          </button>
        </span>
      ))}
      <input
        ref={box}
        {...control}
        list={listId}
        value={text}
        maxLength={maxLength}
        placeholder={tags.length === 0 ? placeholder : undefined}
        onChange={({ target }) => (target.value.includes(',') ? add(target.value) : setText(target.value))}
        onKeyDown={onKeyDown}
        onBlur={() => add(text)}
        className="min-w-28 flex-1 bg-transparent outline-none"
      />
      <datalist id={listId}>
        {known
          .filter((tag) => !tags.includes(tag))
          .map((tag) => (
            <option key={tag} value={tag} />
          ))}
      </datalist>
    </div>
  )
}
