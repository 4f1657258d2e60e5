import { JsonTree } from './json-tree.tsx'
import { spoken } from './tool-names.ts'

/** What a tool was called with, as a person reads it. */
export const ToolGiven = ({ given }: { given: Record<string, unknown> }) => {
  const entries = Object.entries(given).filter(([, value]) => value !== null && value !== '')
  if (entries.length === 0) return null
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 max-sm:grid-cols-1">
      {entries.map(([name, value]) => (
        <div key={name} className="contents">
          <dt>{spoken(name)}</dt>
          <dd className="whitespace-pre-wrap wrap-anywhere text-ink">
            {typeof value === 'object' ? <JsonTree value={value} /> : String(value)}
          </dd>
        </div>
      ))}
    </dl>
  )
}
