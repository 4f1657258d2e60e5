import { type ReactNode, useId } from 'react'
import { Waiting } from '../ui/layout/waiting.tsx'

interface PartSectionProps {
  title: string
  /** Explanation in a sentence or two. */
  about?: ReactNode
  action?: ReactNode
  /** Whether its content is still to come: sections below are shown after it. */
  isWaiting?: boolean
  children?: ReactNode
}

/** Group of settings under a heading. */
export function PartSection({ title, about, action, isWaiting = false, children }: PartSectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="space-y-3">
      <div>
        <div className="flex items-center justify-between gap-4">
          <h2 id={id} className="text-base font-semibold">
            {title}
          </h2>
          {action}
        </div>
        {about && <p className="mt-1 max-w-[65ch] text-sm text-muted text-pretty">{about}</p>}
      </div>
      {children}
      {isWaiting && <Waiting />}
    </section>
  )
}

/** List whose entries are rows of one frame. */
export const RowList = ({ label, children }: { label: string; children: ReactNode }) => (
  <ul aria-label={label} className="divide-y divide-line rounded-card border border-line">
    {children}
  </ul>
)

/** Placeholder for an empty list. */
export const EmptyList = ({ children }: { children: ReactNode }) => (
  <p className="rounded-card border border-dashed border-line-strong/60 px-4 py-5 text-center text-sm text-muted text-pretty">
    {children}
  </p>
)
