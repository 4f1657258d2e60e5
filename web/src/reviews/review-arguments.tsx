import { t } from '@lingui/core/macro'
import { Facts } from '../ui/data/facts.tsx'
import { ScrollBox } from '../ui/layout/scroll-box.tsx'
import { argumentInWords } from './argument-words.ts'

/** Arguments of a tool call, as a person reads them. */
export function ReviewArguments({ given }: { given: Record<string, unknown> }) {
  const entries = Object.entries(given)
  if (entries.length === 0) return null
  const isShort = (value: unknown) =>
    typeof value !== 'object' && String(value).length <= 120 && !/\n/.test(String(value))
  const short = entries.filter(([, value]) => value === null || isShort(value))
  const long = entries.filter(([, value]) => value !== null && !isShort(value))
  return (
    <div className="space-y-3 rounded-control border border-line bg-canvas px-4 py-3">
      {short.length > 0 && (
        <Facts
          facts={short.map(([name, value]) => [argumentInWords(name), value === null ? t`nothing` : String(value)])}
        />
      )}
      {long.map(([name, value]) => (
        <div key={name}>
          <p className="mb-1 text-sm text-muted">{argumentInWords(name)}</p>
          <ScrollBox label={argumentInWords(name)} className="max-h-56">
            <pre dir="auto" className="text-sm whitespace-pre-wrap wrap-anywhere">
              {typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
            </pre>
          </ScrollBox>
        </div>
      ))}
    </div>
  )
}
