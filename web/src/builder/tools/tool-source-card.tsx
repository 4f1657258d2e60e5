import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { explain } from '../../platform/errors.ts'
import { cx } from '../../ui/class-names.ts'
import { Button, IconButton, Spinner } from '../../ui/controls/button.tsx'
import { ChevronRight, Pencil, RefreshCw, Trash2 } from '../../ui/icons.ts'
import { Badge } from '../../ui/notices/badge.tsx'

interface ToolSourceCardProps {
  name: string
  /** Address, and how much of it the agent has. */
  about: ReactNode
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
  onEdit: () => void
  onRemove: () => void
  /** Request that asks the source what it has. */
  check: { error: Error | null; isFetching: boolean; refetch: () => unknown }
  /** Words while it is asked. */
  waiting: ReactNode
  /** Answer of the source; undefined before there is one. */
  outcome: { isGood: boolean; label: ReactNode; details: ReactNode } | undefined
  /** Tools that it has, shown when it is open. */
  children: ReactNode
}

/** Something outside that brings tools. What it has is asked for when the card is opened. */
export const ToolSourceCard = ({ name, about, isOpen, onOpen, onEdit, onRemove, ...rest }: ToolSourceCardProps) => (
  <li className="rounded-card border border-line">
    <div className="flex items-center gap-1 py-2 pe-2 ps-1.5">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => onOpen(!isOpen)}
        className="flex min-w-0 flex-1 items-center gap-2 rounded-control px-1.5 py-1 text-start hover:bg-hover"
      >
        <ChevronRight
          size={15}
          className={cx('shrink-0 text-muted transition-transform', isOpen && 'rotate-90')}
          aria-hidden
        />
        <span className="min-w-0">
          <span className="block font-medium">{name}</span>
          <span className="block truncate text-sm text-muted">{about}</span>
        </span>
      </button>
      <IconButton label={t`Change ${name}`} icon={Pencil} onClick={onEdit} />
      <IconButton label={t`Remove ${name}`} icon={Trash2} onClick={onRemove} />
    </div>
    {isOpen && (
      <div className="border-t border-line">
        <div className="flex flex-wrap items-center justify-between gap-2 px-3.5 py-2 text-sm" aria-live="polite">
          <Outcome {...rest} />
          <Button icon={RefreshCw} disabled={rest.check.isFetching} onClick={() => rest.check.refetch()}>
            <Trans>Check again</Trans>
          </Button>
        </div>
        {rest.children}
      </div>
    )}
  </li>
)

function Outcome({ check, waiting, outcome }: Pick<ToolSourceCardProps, 'check' | 'waiting' | 'outcome'>) {
  if (check.isFetching)
    return (
      <span className="flex items-center gap-2 text-muted">
        <Spinner /> {waiting}
      </span>
    )
  if (check.error) return <span className="text-bad">{explain(check.error)}</span>
  return (
    <span className="wrap-anywhere">
      {outcome && <Badge tone={outcome.isGood ? 'good' : 'bad'}>{outcome.label}</Badge>}{' '}
      <span className={cx(outcome?.isGood && 'text-muted')}>{outcome?.details}</span>
    </span>
  )
}
