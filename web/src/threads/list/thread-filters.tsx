import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { useIsAdmin } from '../../access/access.ts'
import { chatTypes } from '../../platform/chat-types.ts'
import { cx } from '../../ui/class-names.ts'
import { Button } from '../../ui/controls/button.tsx'
import { SearchBox } from '../../ui/controls/search-box.tsx'
import { Select } from '../../ui/fields/choice.tsx'
import { DayField } from '../../ui/fields/day-field.tsx'
import { compactClass } from '../../ui/fields/field.tsx'
import { ListFilter, X } from '../../ui/icons.ts'
import { filtersIn, type ThreadSearch } from '../thread-search.ts'

const TYPING_MS = 300

const STATES = { in_progress: t`Answering`, waiting: t`Waits for a person`, failed: t`Failed` }
const FEEDBACK = { up: t`Liked`, down: t`Not liked` }

interface ThreadFiltersProps {
  search: ThreadSearch
  onChange: (some: ThreadSearch) => void
}

/** Filters of the list of threads. */
export function ThreadFilters({ search, onChange }: ThreadFiltersProps) {
  const isAdmin = useIsAdmin()
  // On narrow screens the filters are shown on request.
  const [isOpen, setOpen] = useState(filtersIn(search) > 0)
  return (
    <search className="mb-4 flex flex-wrap items-center gap-2.5">
      <Typed value={search.q} onChange={(q) => onChange({ q })}>
        {(value, change) => (
          <SearchBox
            label={t`Find by title`}
            className="min-w-0 flex-1 sm:w-56 sm:flex-none"
            value={value}
            onChange={change}
          />
        )}
      </Typed>
      <Button icon={ListFilter} aria-expanded={isOpen} className="sm:hidden" onClick={() => setOpen(!isOpen)}>
        <Trans>Filters</Trans>
      </Button>
      <div className={cx('flex flex-wrap items-center gap-2.5 sm:contents', !isOpen && 'max-sm:hidden')}>
        <Choice
          label={t`Type`}
          any={t`Any type`}
          of={chatTypes()}
          value={search.type}
          onChange={(type) => onChange({ type })}
        />
        <Choice
          label={t`State`}
          any={t`Any state`}
          of={STATES}
          value={search.status}
          onChange={(status) => onChange({ status })}
        />
        <Choice
          label={t`Feedback`}
          any={t`Any feedback`}
          of={FEEDBACK}
          value={search.feedback}
          onChange={(feedback) => onChange({ feedback })}
        />
        {isAdmin && (
          <Typed value={search.person} onChange={(person) => onChange({ person })}>
            {(value, change) => (
              <input
                aria-label={t`E-mail of a person`}
                placeholder={t`E-mail of a person`}
                type="email"
                className={cx(compactClass, 'w-full sm:w-52')}
                value={value}
                onChange={({ target }) => change(target.value)}
              />
            )}
          </Typed>
        )}
        <Typed value={search.meta} onChange={(meta) => onChange({ meta })}>
          {(value, change) => (
            <input
              aria-label={t`Metadata, as key=value`}
              placeholder={t`Metadata: key=value`}
              className={cx(compactClass, 'w-full sm:w-52')}
              spellCheck={false}
              autoCapitalize="off"
              value={value}
              onChange={({ target }) => change(target.value)}
            />
          )}
        </Typed>
        <div className="flex flex-wrap gap-2.5 max-sm:w-full">
          <DayField label={t`Began from`} value={search.from} onChange={(from) => onChange({ from })} />
          <DayField label={t`Before`} value={search.to} onChange={(to) => onChange({ to })} />
        </div>
        {filtersIn(search) > 0 && (
          <Button
            variant="quiet"
            icon={X}
            onClick={() =>
              onChange({ q: '', type: '', person: '', status: '', feedback: '', from: '', to: '', meta: '' })
            }
          >
            <Trans>Clear</Trans>
          </Button>
        )}
      </div>
    </search>
  )
}

interface ChoiceProps {
  label: string
  any: string
  of: Record<string, string>
  value: string | undefined
  onChange: (value: string) => void
}

const Choice = ({ label, any, of, value, onChange }: ChoiceProps) => (
  <Select aria-label={label} value={value ?? ''} onChange={({ target }) => onChange(target.value)}>
    <option value="">{any}</option>
    {Object.entries(of).map(([one, name]) => (
      <option key={one} value={one}>
        {name}
      </option>
    ))}
  </Select>
)

interface TypedProps {
  value: string | undefined
  onChange: (value: string) => void
  children: (value: string, change: (value: string) => void) => React.ReactNode
}

/** Text field whose value applies after a pause in typing. */
function Typed({ value = '', onChange, children }: TypedProps) {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed starts the clock.
  useEffect(() => {
    if (typed === value) return
    const timer = setTimeout(onChange, TYPING_MS, typed.trim())
    return () => clearTimeout(timer)
  }, [typed])
  return children(typed, setTyped)
}
