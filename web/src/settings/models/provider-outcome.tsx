import type { TestedModelProvider } from '@docent/sdk'
import { plural, t } from '@lingui/core/macro'
import { explain } from '../../platform/errors.ts'
import { formatDuration } from '../../platform/format.ts'
import { Badge } from '../../ui/notices/badge.tsx'

interface ProviderOutcomeProps {
  tested: TestedModelProvider | undefined
  error: Error | null
}

/** Line that says whether a provider answered a test, and with what. */
export const ProviderOutcome = ({ tested, error }: ProviderOutcomeProps) => (
  <div aria-live="polite" className="text-sm">
    {error && <p className="text-bad wrap-anywhere">{explain(error)}</p>}
    {tested && !error && (
      <p className="wrap-anywhere">
        <Badge tone={tested.is_ok ? 'good' : 'bad'}>{tested.is_ok ? t`It answers` : t`It cannot be used`}</Badge>{' '}
        {tested.is_ok
          ? t`${plural(tested.models ?? 0, { one: '# model', other: '# models' })}, after ${formatDuration(tested.latency_ms)}`
          : tested.error_message}
      </p>
    )}
  </div>
)
