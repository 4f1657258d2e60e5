import type { ReactNode } from 'react'
import type { LucideIcon } from '../icons.ts'

interface BannerProps {
  icon: LucideIcon
  problem?: string | null
  action?: ReactNode
  children: ReactNode
}

/** Notice about everything below it. */
export const Banner = ({ icon: Icon, problem, action, children }: BannerProps) => (
  <div className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-b border-line bg-accent-soft px-4 py-2.5 sm:px-6">
    <Icon size={17} className="shrink-0 text-accent" aria-hidden />
    <div className="min-w-52 flex-1 text-pretty">
      <p>{children}</p>
      {problem && <p className="text-sm text-bad wrap-anywhere">{problem}</p>}
    </div>
    {action}
  </div>
)
