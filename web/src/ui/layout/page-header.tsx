import type { ReactNode } from 'react'

interface PageHeaderProps {
  /** Title of the page and of the browser's tab. */
  title: string
  /** Shown before the title, such as a face. */
  sign?: ReactNode
  /** Shown in place of the title, if text is not enough. */
  children?: ReactNode
  actions?: ReactNode
}

/** First line of a page. */
export const PageHeader = ({ title, sign, children, actions }: PageHeaderProps) => (
  <div className="flex min-h-15 shrink-0 flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line px-4 py-2.5 sm:px-6">
    <title>{`${title} · Docent`}</title>
    {children ?? (
      <div className="flex min-w-0 items-center gap-3">
        {sign}
        <h1 dir="auto" className="min-w-0 truncate font-display text-[1.9rem] leading-tight">
          {title}
        </h1>
      </div>
    )}
    {actions && <div className="flex min-w-0 flex-wrap items-center gap-2">{actions}</div>}
  </div>
)
