import type { DataSource } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { cx } from '../../ui/class-names.ts'

const STATUSES: Record<DataSource['status'], { name: string; text: string; dot: string }> = {
  pending: { name: t`Waiting`, text: 'text-muted', dot: 'bg-line-strong' },
  indexing: { name: t`Reading`, text: 'text-accent', dot: 'animate-breathe bg-accent' },
  successful: { name: t`Ready`, text: 'text-muted', dot: 'bg-good' },
  failed: { name: t`Failed`, text: 'text-bad', dot: 'bg-bad' },
}

/** Indexing status of a file. Only indexed files can be found. */
export function FileStatusBadge({ status }: { status: DataSource['status'] }) {
  const { name, text, dot } = STATUSES[status]
  return (
    <span className={cx('inline-flex items-center gap-1.5 text-sm whitespace-nowrap', text)}>
      <span aria-hidden className={cx('size-1.75 rounded-full', dot)} />
      {name}
    </span>
  )
}
