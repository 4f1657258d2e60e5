import { type ReactNode, useState } from 'react'
import { cx } from '../class-names.ts'
import { ChevronRight } from '../icons.ts'

interface FoldProps {
  /** What is said while the rest is folded. */
  summary: ReactNode
  /** Whether it is open from the start. */
  isOpen?: boolean
  /** Whether the sign that it opens stands behind what is said. */
  isSignLast?: boolean
  className?: string
  summaryClass?: string
  /** Drawn, and whatever it needs read, only once it is open. */
  children: ReactNode
}

/** Something that opens. */
export function Fold({
  summary,
  isOpen: isOpenFirst = false,
  isSignLast,
  className,
  summaryClass,
  children,
}: FoldProps) {
  const [isOpen, setOpen] = useState(isOpenFirst)
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)} className={className}>
      <summary
        className={cx(
          'flex max-w-max min-w-0 list-none items-center gap-1 rounded-control pr-2 text-muted hover:text-ink pointer-coarse:py-1.5 [&::-webkit-details-marker]:hidden',
          summaryClass,
        )}
      >
        {isSignLast && summary}
        <ChevronRight size={14} className={cx('shrink-0 transition-transform', isOpen && 'rotate-90')} aria-hidden />
        {!isSignLast && summary}
      </summary>
      {isOpen && children}
    </details>
  )
}
