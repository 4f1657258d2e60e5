import type { ReactNode } from 'react'
import { cx } from '../class-names.ts'

interface ScrollBoxProps {
  label: string
  className?: string
  children: ReactNode
}

/** Scrollable box that can be scrolled by keyboard, too. */
export const ScrollBox = ({ label, className, children }: ScrollBoxProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: without it nobody could scroll by keys.
  <section aria-label={label} tabIndex={0} className={cx('relative overflow-auto scroll-quiet', className)}>
    {children}
  </section>
)
