import type { Citation } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { formatLocation } from '../../platform/format-location.ts'

interface SourceListProps {
  citations: Citation[]
  onOpen: (index: number) => void
}

/** Passages of an answer, listed below it. */
export const SourceList = ({ citations, onOpen }: SourceListProps) => (
  <ul aria-label={t`Sources`} className="flex flex-wrap gap-2">
    {citations.map(({ index, title, location }) => (
      <li key={index} className="max-w-full">
        <button
          type="button"
          aria-haspopup="dialog"
          onClick={() => onOpen(index)}
          className="flex max-w-full items-center gap-2 rounded-control border border-line py-1 pe-3 ps-1 text-start text-sm transition-colors hover:border-line-strong pointer-coarse:py-2"
        >
          <span className="flex h-6 min-w-6 items-center justify-center rounded-[0.35rem] bg-chip px-1 font-semibold text-on-chip tabular-nums">
            {index}
          </span>
          <span className="min-w-0 max-w-64 truncate font-medium">{title}</span>
          {formatLocation(location) && <span className="truncate text-muted">{formatLocation(location)}</span>}
        </button>
      </li>
    ))}
  </ul>
)
