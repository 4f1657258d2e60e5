import type { Quota } from '@docent/sdk'
import { formatDollars, formatNumber } from '../../platform/format.ts'
import { cx } from '../../ui/class-names.ts'
import { ProgressBar } from '../../ui/notices/progress-bar.tsx'

/**
 * Limits of a quota, and how much of them is used; for a quota that applies to everybody separately, the limits alone.
 */
export function QuotaUse({ quota: { max_messages, max_tokens, max_cost_usd, used } }: { quota: Quota }) {
  const limits = [
    { most: max_messages, now: used?.messages, noun: 'messages', format: formatNumber },
    { most: max_tokens, now: used?.tokens, noun: 'tokens', format: formatNumber },
    { most: max_cost_usd, now: used?.cost_usd, noun: '', format: formatDollars },
  ]
  return (
    <ul className="space-y-1.5">
      {limits.map(({ most, now, noun, format }) => {
        if (most === null) return null
        if (now === undefined) return <li key={noun}>{`at most ${format(most)} ${noun}`}</li>
        const isUsedUp = now >= most
        return (
          <li key={noun}>
            <span className={cx('block tabular-nums', isUsedUp && 'text-bad')}>
              {format(now)} of {format(most)} {noun}
              {isUsedUp && ': used up'}
            </span>
            <ProgressBar
              label={`${noun || 'Cost'} used`}
              value={most === 0 ? 1 : Math.min(1, now / most)}
              className="mt-1 w-full max-w-64"
            />
          </li>
        )
      })}
    </ul>
  )
}
