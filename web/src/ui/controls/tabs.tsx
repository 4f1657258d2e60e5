import { type ReactNode, useEffect, useRef } from 'react'
import { cx } from '../class-names.ts'

/** Sub-pages of a page, as links side by side; `tabClass` styles each. The open one is scrolled into view. */
export function Tabs({ label, children }: { label: string; children: ReactNode }) {
  const ref = useRef<HTMLElement>(null)
  useEffect(() => {
    ref.current!.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  })
  return (
    <nav
      ref={ref}
      aria-label={label}
      className="flex shrink-0 gap-1 overflow-x-auto scroll-quiet border-b border-line px-2 sm:px-4 md:flex-wrap md:overflow-visible"
    >
      {children}
    </nav>
  )
}

export const tabClass = cx(
  'flex h-11 shrink-0 items-center border-b-2 border-transparent px-3 font-medium whitespace-nowrap text-muted',
  'transition-colors hover:text-ink focus-visible:outline-offset-[-3px]',
  'aria-[current=page]:border-accent aria-[current=page]:text-ink',
)
