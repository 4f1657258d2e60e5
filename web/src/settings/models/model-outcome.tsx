import type { TestedEmbeddingModel } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { explain } from '../../platform/errors.ts'
import { formatDuration, formatNumber } from '../../platform/format.ts'
import { Badge } from '../../ui/notices/badge.tsx'

interface ModelOutcomeProps {
  tested: TestedEmbeddingModel | undefined
  error: Error | null
}

/** Line that says whether an embedding model answered a test, and with what. */
export function ModelOutcome({ tested, error }: ModelOutcomeProps) {
  const length = formatNumber(tested?.dimensions ?? 0)
  return (
    <div aria-live="polite" className="text-sm">
      {error && <p className="text-bad wrap-anywhere">{explain(error)}</p>}
      {tested && !error && (
        <p className="wrap-anywhere">
          <Badge tone={tested.is_ok ? 'good' : 'bad'}>{tested.is_ok ? t`It answers` : t`It cannot be used`}</Badge>{' '}
          {tested.is_ok
            ? t`vectors of ${length} numbers, after ${formatDuration(tested.latency_ms)}`
            : tested.error_message}
        </p>
      )}
    </div>
  )
}
