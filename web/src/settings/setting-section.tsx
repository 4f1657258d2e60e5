import type { ReactNode } from 'react'

interface SettingSectionProps {
  title: string
  /** Explanation for people who see it for the first time. */
  about: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/** Section of a settings page. */
export function SettingSection({ title, about, actions, children }: SettingSectionProps) {
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
    </section>
  )
}
