import type { ReactNode } from 'react'

/** Names and values, one below the other; null values are left out. */
export const Facts = ({ facts }: { facts: [name: string, value: ReactNode][] }) => (
  <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-5 gap-y-1.5 text-sm">
    {facts
      .filter(([, value]) => value !== null && value !== undefined && value !== '')
      .map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="wrap-anywhere">{typeof value === 'string' ? <bdi>{value}</bdi> : value}</dd>
        </div>
      ))}
  </dl>
)

/** Figures side by side. */
export const Figures = ({ figures }: { figures: [name: string, value: ReactNode][] }) => (
  <dl className="grid grid-cols-2 gap-3 sm:grid-cols-[repeat(auto-fit,minmax(9rem,1fr))]">
    {figures.map(([name, value]) => (
      <div key={name} className="flex flex-col-reverse justify-end rounded-card border border-line px-4 py-3">
        <dt className="text-sm text-muted">{name}</dt>
        <dd className="font-display text-2xl leading-tight tabular-nums">{value}</dd>
      </div>
    ))}
  </dl>
)
