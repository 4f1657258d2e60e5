import type { ReactNode } from 'react'
import { Waiting } from '../ui/layout/waiting.tsx'

interface SettingSectionProps {
  title: string
  /** Explanation for people who see it for the first time. */
  about: ReactNode
  actions?: ReactNode
  /** Whether its content is still to come: sections below are shown after it. */
  isWaiting?: boolean
  children: ReactNode
}

/** Section of a settings page. */
export function SettingSection({ title, about, actions, isWaiting = false, children }: SettingSectionProps) {
  return (
    <section>
      <div className="mb-4 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-60 flex-1">
          <h2 className="text-lg font-semibold">{title}</h2>
          <p className="mt-0.5 max-w-[65ch] text-muted text-pretty">{about}</p>
        </div>
        {actions && <div className="flex gap-2">{actions}</div>}
      </div>
      {children}
      {isWaiting && <Waiting />}
    </section>
  )
}
