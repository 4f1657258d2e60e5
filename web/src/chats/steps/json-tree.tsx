import { plural } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Fold } from '../../ui/layout/fold.tsx'

/** Number of entries of a list or object to show; the rest is counted. */
const MOST_ENTRIES = 200

/** JSON as a tree with deep levels folded. */
export function JsonTree({ value, depth = 0 }: { value: unknown; depth?: number }) {
  if (value === null || typeof value !== 'object') return <Leaf value={value} />
  const entries = Object.entries(value)
  const isList = Array.isArray(value)
  if (entries.length === 0) return <span>{isList ? '[]' : '{}'}</span>
  const rows = (
    <ul className="!mt-0 !list-none space-y-0.5 border-s border-line !ps-3">
      {entries.slice(0, MOST_ENTRIES).map(([name, inner]) => (
        <li key={name} className="!mt-0.5">
          <span className="text-muted">{isList ? Number(name) + 1 : name}</span>
          {isBranch(inner) ? (
            <JsonTree value={inner} depth={depth + 1} />
          ) : (
            <>
              {': '}
              <Leaf value={inner} />
            </>
          )}
        </li>
      ))}
      {entries.length > MOST_ENTRIES && (
        <li>
          <Trans>… {entries.length - MOST_ENTRIES} more</Trans>
        </li>
      )}
    </ul>
  )
  if (depth === 0) return rows
  return (
    <Fold
      summary={
        isList
          ? plural(entries.length, { one: '# item', other: '# items' })
          : plural(entries.length, { one: '# field', other: '# fields' })
      }
      isOpen={depth < 2 && entries.length <= 8}
      className="!mt-0 inline-block max-w-full px-1 align-top"
    >
      {rows}
    </Fold>
  )
}

const isBranch = (value: unknown) => typeof value === 'object' && value !== null && Object.keys(value).length > 0

function Leaf({ value }: { value: unknown }) {
  if (typeof value === 'string') return <span className="whitespace-pre-wrap wrap-anywhere text-ink">{value}</span>
  if (Array.isArray(value)) return <span>[]</span>
  return (
    <span className="text-accent">{value === null ? 'null' : typeof value === 'object' ? '{}' : String(value)}</span>
  )
}
