import type { Quota } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { formatDollars, formatNumber } from '../../platform/format.ts'
import { cx } from '../../ui/class-names.ts'
import { ProgressBar } from '../../ui/notices/progress-bar.tsx'

/**
 * Limits of a quota, and how much of them is used; for a quota that applies to everybody separately, the limits alone.
 */
export function QuotaUse({ quota: { max_messages, max_tokens, max_cost_usd, used } }: { quota: Quota }) {
  const limits = [
    { most: max_messages, now: used?.messages, name: t`Messages`, format: formatNumber },
    { most: max_tokens, now: used?.tokens, name: t`Tokens`, format: formatNumber },
    { most: max_cost_usd, now: used?.cost_usd, name: t`Cost`, format: formatDollars },
  ]
  return (
    <ul className="space-y-1.5">
      {limits.map(({ most, now, name, format }) => {
        if (most === null) return null
        if (now === undefined) return <li key={name}>{t`${name}: at most ${format(most)}`}</li>
        const isUsedUp = now >= most
        return (
          <li key={name}>
            <span className={cx('block tabular-nums', isUsedUp && 'text-bad')}>
              <Trans>
                {name}: {format(now)} of {format(most)}
              </Trans>
              {isUsedUp && t`: used up`}
            </span>
            <ProgressBar
              label={t`${name} used`}
              value={most === 0 ? 1 : Math.min(1, now / most)}
              className="mt-1 w-full max-w-64"
            />
          </li>
        )
      })}
    </ul>
  )
}
