import type { ReactNode } from 'react'
import { cx } from '../class-names.ts'
import { CircleAlert } from '../icons.ts'

interface NoticeProps {
  children: ReactNode
  /** Button that fixes it. */
  action?: ReactNode
  className?: string
}

/** Error message, and what to do about it. */
export function Notice({ children, action, className }: NoticeProps) {
  return (
    <div
      role="alert"
      className={cx(
        'flex flex-wrap items-start justify-end gap-2.5 rounded-control bg-bad-soft px-3.5 py-3',
        className,
      )}
    >
      <CircleAlert size={17} className="mt-0.5 shrink-0 text-bad" aria-hidden />
      <div className="min-w-52 flex-1 wrap-anywhere">{children}</div>
      {action}
    </div>
  )
}
