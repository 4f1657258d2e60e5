import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { formatNumber } from '../../platform/format.ts'
import { ChevronLeft, ChevronRight } from '../icons.ts'
import { Button } from './button.tsx'

interface PagerProps {
  /** Starts at 1. */
  page: number
  pageSize: number
  total: number
  onPage: (page: number) => void
}

/** Position in a paged list, with links to the other pages. */
export function Pager({ page, pageSize, total, onPage }: PagerProps) {
  if (total <= pageSize && page === 1) return null
  const first = (page - 1) * pageSize + 1
  const last = Math.min(page * pageSize, total)
  return (
    <nav aria-label={t`Pages`} className="mt-4 flex flex-wrap items-center justify-between gap-3">
      <p className="text-sm text-muted tabular-nums">
        {last < first ? t`Past the end` : `${formatNumber(first)}–${formatNumber(last)}`}{' '}
        <Trans>of {formatNumber(total)}</Trans>
      </p>
      <div className="flex gap-2">
        <Button icon={ChevronLeft} disabled={page === 1} onClick={() => onPage(page - 1)}>
          <Trans>Previous</Trans>
        </Button>
        <Button disabled={last >= total} onClick={() => onPage(page + 1)}>
          <Trans>Next</Trans>
          <ChevronRight size={16} aria-hidden />
        </Button>
      </div>
    </nav>
  )
}
