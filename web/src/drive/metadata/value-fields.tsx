import { t } from '@lingui/core/macro'
import { useId } from 'react'
import { Select } from '../../ui/fields/choice.tsx'
import { Field, Input } from '../../ui/fields/field.tsx'
import { TagInput } from '../../ui/fields/tag-input.tsx'
import { kindNames } from './format-value.ts'
import type { KnownFacts } from './known-facts.ts'
import { type EditedValue, isListKind, NO_VALUE, type ValueKind } from './values.ts'

const KEY_LENGTH = 64
const TEXT_LENGTH = 500

interface KeyFieldProps {
  value: string
  known: KnownFacts
  error?: string | null
  isFixed?: boolean
  onChange: (key: string) => void
}

/** Field for a key of metadata, with those that other files have as suggestions. */
export function KeyField({ value, known, error, isFixed = false, onChange }: KeyFieldProps) {
  const listId = useId()
  return (
    <Field label={t`Name of the key`} isLabelHidden error={error}>
      {(control) => (
        <>
          <Input
            {...control}
            required
            readOnly={isFixed}
            pattern=".*\S.*"
            maxLength={KEY_LENGTH}
            autoComplete="off"
            spellCheck={false}
            list={listId}
            placeholder={t`Name of the key`}
            value={value}
            onChange={({ target }) => onChange(target.value)}
          />
          <Suggestions id={listId} texts={[...known.keys()]} />
        </>
      )}
    </Field>
  )
}

const Suggestions = ({ id, texts }: { id: string; texts: string[] }) => (
  <datalist id={id}>
    {texts.map((text) => (
      <option key={text} value={text} />
    ))}
  </datalist>
)

interface KindSelectProps {
  /** Key that the value belongs to. */
  of: string
  value: EditedValue
  kinds: readonly ValueKind[]
  className?: string
  onChange: (value: EditedValue) => void
}

/** Select for the kind of a value. What was typed stays where the other kind can read it. */
export const KindSelect = ({ of, value, kinds, className, onChange }: KindSelectProps) => (
  <Select
    aria-label={of ? t`Kind of ${of}` : t`Kind`}
    isTall
    className={className}
    value={value.kind}
    onChange={({ target }) => onChange(toKind(value, target.value as ValueKind))}
  >
    {kinds.map((kind) => (
      <option key={kind} value={kind}>
        {kindNames()[kind]}
      </option>
    ))}
  </Select>
)

export function toKind({ kind: before, text, items }: EditedValue, kind: ValueKind): EditedValue {
  if (isListKind(before) && isListKind(kind))
    return { kind, text: '', items: kind === 'list' ? items : items.filter(isNumber) }
  const plain = isListKind(before) ? (items[0] ?? '') : text
  if (kind === 'text') return { kind, text: plain, items: [] }
  if (kind === 'list') return { kind, text: '', items: plain ? [plain] : [] }
  if (kind === 'number' && isNumber(plain)) return { kind, text: plain, items: [] }
  return { ...NO_VALUE, kind }
}

const isNumber = (text: string) => text.trim() !== '' && Number.isFinite(Number(text))

interface ValueFieldProps {
  /** Key that the value belongs to. */
  of: string
  value: EditedValue
  known: KnownFacts
  hint?: string
  error?: string | null
  /** Whether it may stay empty. */
  isOptional?: boolean
  /** Whether a text must not be empty either. */
  isRequired?: boolean
  onChange: (value: EditedValue) => void
}

/** Pattern of a number in a list. */
const NUMBER = String.raw`-?\d+(\.\d+)?`

const INPUT_TYPES = { text: 'text', number: 'number', date: 'date', time: 'datetime-local' } as const

/** Field for a value of metadata, of its kind. */
export function ValueField(props: ValueFieldProps) {
  const { of, value, known, hint, error, isOptional = false, isRequired = false, onChange } = props
  const listId = useId()
  const { kind, text, items } = value
  const suggested = [...(known.get(of) ?? [])]
  const set = (changed: string) => onChange({ ...value, text: changed })
  return (
    <Field label={of ? t`Value of ${of}` : t`Value`} isLabelHidden hint={hint} error={error}>
      {(control) => {
        if (isListKind(kind))
          return (
            <TagInput
              {...control}
              tags={items}
              known={suggested}
              maxLength={TEXT_LENGTH}
              placeholder={t`Type one, then Enter`}
              {...(kind === 'numbers' && { pattern: NUMBER, title: t`numbers` })}
              onChange={(changed) => onChange({ ...value, items: changed })}
            />
          )
        if (kind === 'boolean')
          return (
            <Select
              {...control}
              isTall
              required={!isOptional}
              value={text}
              onChange={({ target }) => set(target.value)}
            >
              <option value="" disabled={!isOptional}>
                {t`Choose`}
              </option>
              <option value="true">{t`Yes`}</option>
              <option value="false">{t`No`}</option>
            </Select>
          )
        return (
          <>
            <Input
              {...control}
              type={INPUT_TYPES[kind as keyof typeof INPUT_TYPES]}
              step={kind === 'number' ? 'any' : kind === 'time' ? 1 : undefined}
              required={isRequired || (kind !== 'text' && !isOptional)}
              maxLength={TEXT_LENGTH}
              list={kind === 'text' ? listId : undefined}
              placeholder={kind === 'text' || kind === 'number' ? t`Value` : undefined}
              value={text}
              onChange={({ target }) => set(target.value)}
            />
            {kind === 'text' && <Suggestions id={listId} texts={suggested} />}
          </>
        )
      }}
    </Field>
  )
}
