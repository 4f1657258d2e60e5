import type { DataSource } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { formatShare } from '../../platform/format.ts'
import { cx } from '../../ui/class-names.ts'

const STATUSES: Record<DataSource['status'], { name: string; text: string; dot: string }> = {
  pending: { name: t`Waiting`, text: 'text-muted', dot: 'bg-line-strong' },
  indexing: { name: t`Reading`, text: 'text-accent', dot: 'animate-breathe bg-accent' },
  successful: { name: t`Ready`, text: 'text-muted', dot: 'bg-good' },
  failed: { name: t`Failed`, text: 'text-bad', dot: 'bg-bad' },
}

const STAGES: Partial<Record<NonNullable<DataSource['indexing']>['stage'], string>> = {
  unpacking: t`Unpacking`,
  transcribing: t`Writing down`,
  ocr: t`Reading pictures`,
  embedding: t`Indexing`,
  writing: t`Indexing`,
}

/** Stage of a file that is being indexed, with the share of it that is done where that is known. */
export function describeProgress({ status, indexing }: DataSource): { name: string; share: number | null } {
  const name = (status === 'indexing' && indexing && STAGES[indexing.stage]) || STATUSES[status].name
  const isCounted = status === 'indexing' && indexing && indexing.done > 0 && indexing.total
  return { name, share: isCounted ? Math.min(1, indexing.done / indexing.total!) : null }
}

/** Indexing status of a file. Only indexed files can be found. */
export function FileStatusBadge({ file }: { file: DataSource }) {
  const { text, dot } = STATUSES[file.status]
  const { name, share } = describeProgress(file)
  return (
    <span className={cx('inline-flex max-w-full items-center gap-1.5 text-sm whitespace-nowrap', text)}>
      <span aria-hidden className={cx('size-1.75 shrink-0 rounded-full', dot)} />
      <span className="truncate">{name}</span>
      {share !== null && <span className="tabular-nums">{formatShare(share)}</span>}
    </span>
  )
}
