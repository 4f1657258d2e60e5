import type { ReactNode } from 'react'
import type { LucideIcon } from '../icons.ts'

interface EmptyStateProps {
  icon: LucideIcon
  title: string
  children?: ReactNode
  action?: ReactNode
}

/** Placeholder for an empty page: what belongs here, and how to start. */
export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="mx-auto flex max-w-sm flex-col items-center px-4 py-16 text-center">
      <Icon size={28} strokeWidth={1.4} className="text-muted" aria-hidden />
      <h2 className="mt-4 font-display text-2xl leading-tight">{title}</h2>
      {children && <p className="mt-2 text-muted text-pretty">{children}</p>}
      {action && <div className="mt-5">{action}</div>}
    </div>
  )
}
