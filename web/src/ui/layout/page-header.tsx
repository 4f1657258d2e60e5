import type { ReactNode } from 'react'

interface PageHeaderProps {
  /** Of the browser's tab, too. */
  title: string
  /** Shown in place of the title, for what needs more than words. */
  children?: ReactNode
  actions?: ReactNode
}

/** The first line of a page. */
export const PageHeader = ({ title, children, actions }: PageHeaderProps) => (
  <div className="flex min-h-15 shrink-0 flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line px-4 py-2.5 sm:px-6">
    <title>{`${title} · Docent`}</title>
    {children ?? <h1 className="min-w-0 truncate font-display text-2xl leading-tight">{title}</h1>}
    {actions && <div className="flex items-center gap-2">{actions}</div>}
  </div>
)
