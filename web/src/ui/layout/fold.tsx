import { type ReactNode, useState } from 'react'
import { cx } from '../class-names.ts'
import { ChevronRight } from '../icons.ts'

interface FoldProps {
  /** Text shown while folded. */
  summary: ReactNode
  /** Whether it is open at first. */
  isOpen?: boolean
  /** Whether the arrow is after the text. */
  isSignLast?: boolean
  className?: string
  summaryClass?: string
  /** Rendered only while open, so its data is loaded then. */
  children: ReactNode
}

/** Section that unfolds. */
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
          'flex max-w-max min-w-0 list-none items-center gap-1 rounded-control pe-2 text-muted hover:text-ink pointer-coarse:py-1.5 [&::-webkit-details-marker]:hidden',
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
