import { t } from '@lingui/core/macro'
import { type ComponentProps, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { cx } from '../class-names.ts'
import { ChevronDown } from '../icons.ts'
import { Input } from './field.tsx'

export interface Choice {
  /** Text of the field once it is chosen. */
  value: string
  /** Text of the entry, where it is not the value. */
  label?: string
  /** Second line of the entry. */
  aside?: string
}

export interface ChoiceGroup {
  name: string
  choices: Choice[]
}

interface ComboboxProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'list' | 'role'> {
  value: string
  groups: ChoiceGroup[]
  onChange: (value: string) => void
}

/** Text field with a list that is searched by typing; it takes texts that are not in the list, too. */
export function Combobox({ value, groups, onChange, className, ...rest }: ComboboxProps) {
  const listId = useId()
  const [isOpen, setOpen] = useState(false)
  const [search, setSearch] = useState('')
  /** Null: the entry of the value, which may come after the list was opened. */
  const [moved, setMoved] = useState<number | null>(null)
  const shown = isOpen ? searchGroups(groups, search) : []
  const choices = shown.flatMap((group) => group.choices)
  const at = moved ?? choices.findIndex((choice) => choice.value === value)
  const active = choices[at]
  const isExpanded = choices.length > 0

  function open() {
    setSearch('')
    setMoved(null)
    setOpen(true)
  }
  function choose(choice: Choice) {
    onChange(choice.value)
    setOpen(false)
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && !isExpanded) open()
    else if (step) setMoved((Math.max(at, step > 0 ? -1 : 0) + step + choices.length) % choices.length)
    else if (event.key === 'Enter' && active) choose(active)
    else if (event.key === 'Escape' && isExpanded) setOpen(false)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className="relative">
      <Input
        autoComplete="off"
        spellCheck={false}
        {...rest}
        className={cx('pe-9', className)}
        value={value}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isExpanded}
        aria-controls={isExpanded ? listId : undefined}
        aria-activedescendant={active && `${listId}-${at}`}
        onClick={() => !isExpanded && open()}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
        onChange={({ target }) => {
          onChange(target.value)
          setSearch(target.value)
          setMoved(-1)
          setOpen(true)
        }}
      />
      <ChevronDown
        size={15}
        className="pointer-events-none absolute end-3 top-1/2 -translate-y-1/2 text-muted"
        aria-hidden
      />
      {isExpanded && (
        <ChoiceList
          id={listId}
          groups={shown}
          active={active}
          onChoose={choose}
          className="absolute inset-x-0 top-full z-10 mt-1.5 rounded-[0.7rem] border border-line bg-raised shadow-raised"
        />
      )}
    </div>
  )
}

interface ChoiceListProps {
  id: string
  groups: ChoiceGroup[]
  active: Choice | undefined
  onChoose: (choice: Choice) => void
  className?: string
}

/** Entries by group, of a field that keeps the focus. */
export function ChoiceList({ id, groups, active, onChoose, className }: ChoiceListProps) {
  const list = useRef<HTMLDivElement>(null)
  const choices = groups.flatMap((group) => group.choices)
  useEffect(() => {
    // Braces: newer browsers give a promise back, which React would take for a cleanup.
    list.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  useEffect(() => {
    if (active) list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={t`Choices`}
      // The field keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      className={cx('max-h-72 overflow-y-auto scroll-quiet p-1', className)}
    >
      {groups.map(({ name, choices: own }) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot hold the options of a listbox.
        <div key={name} role="group" aria-label={name}>
          <p aria-hidden className="px-3 pt-2 pb-1 text-sm text-muted">
            {name}
          </p>
          {own.map((choice) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field, which keeps the focus.
            // biome-ignore lint/a11y/useFocusableInteractive: see above
            <div
              key={choice.value}
              id={`${id}-${choices.indexOf(choice)}`}
              role="option"
              aria-selected={choice === active}
              onClick={() => onChoose(choice)}
              className={cx(
                'cursor-pointer rounded-control px-3 py-1.5 hover:bg-hover pointer-coarse:py-2.5',
                choice === active && 'bg-hover',
              )}
            >
              <span className="block wrap-anywhere">{choice.label ?? choice.value}</span>
              {choice.aside && <span className="block text-sm text-muted wrap-anywhere">{choice.aside}</span>}
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}

/** Groups with the choices that hold each word of a search. */
export function searchGroups(groups: ChoiceGroup[], search: string): ChoiceGroup[] {
  const words = search.toLowerCase().split(/\s+/)
  return groups
    .map(({ name, choices }) => ({
      name,
      choices: choices.filter(({ value, label = '' }) => {
        const text = `${name} ${value} ${label}`.toLowerCase()
        return words.every((word) => text.includes(word))
      }),
    }))
    .filter(({ choices }) => choices.length > 0)
}
