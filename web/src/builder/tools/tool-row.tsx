import { Trans } from '@lingui/react/macro'
import { type ReactNode, useId } from 'react'
import { cx } from '../../ui/class-names.ts'
import { Checkbox } from '../../ui/fields/checkbox.tsx'

interface ToolRowProps {
  title: ReactNode
  about?: ReactNode
  isOn: boolean
  onToggle: (isOn: boolean) => void
  asksFirst: boolean
  /** Absent where a person is asked anyway. */
  onAskFirst?: (asks: boolean) => void
  /** Set where another switch controls the approval. */
  isAskFixed?: boolean
}

/** Row of a tool: whether it is on, and whether each call needs approval. */
export function ToolRow({ title, about, isOn, onToggle, asksFirst, onAskFirst, isAskFixed }: ToolRowProps) {
  const id = useId()
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-1.5 px-3.5 py-2.5">
      <div className="flex min-w-44 flex-1 items-start gap-2.5">
        <Checkbox
          id={id}
          checked={isOn}
          aria-describedby={about ? `${id}-about` : undefined}
          onChange={({ target }) => onToggle(target.checked)}
          className="mt-0.75"
        />
        <div className="min-w-0">
          <label htmlFor={id} id={`${id}-title`} className="font-medium wrap-anywhere">
            {title}
          </label>
          {about && (
            <p id={`${id}-about`} className="line-clamp-3 text-sm text-muted text-pretty">
              {about}
            </p>
          )}
        </div>
      </div>
      {onAskFirst && (
        <span className={cx('flex items-center gap-2 py-0.5 text-sm max-sm:ps-6.5', !isOn && 'invisible')}>
          <Checkbox
            id={`${id}-ask`}
            checked={asksFirst}
            disabled={isAskFixed}
            aria-labelledby={`${id}-ask-label ${id}-title`}
            onChange={({ target }) => onAskFirst(target.checked)}
          />
          <label htmlFor={`${id}-ask`} id={`${id}-ask-label`}>
            <Trans>Ask first</Trans>
          </label>
        </span>
      )}
    </li>
  )
}
