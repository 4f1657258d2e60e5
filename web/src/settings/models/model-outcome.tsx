import { t } from '@lingui/core/macro'
import { explain } from '../../platform/errors.ts'
import { Badge } from '../../ui/notices/badge.tsx'

interface ModelOutcomeProps {
  tested: { is_ok: boolean; error_message: string | null } | undefined
  /** Words of a model that answered. */
  answered: string
  error: Error | null
}

/** Line that says whether a model answered a test, and with what. */
export function ModelOutcome({ tested, answered, error }: ModelOutcomeProps) {
  return (
    <div aria-live="polite" className="text-sm">
      {error && <p className="text-bad wrap-anywhere">{explain(error)}</p>}
      {tested && !error && (
        <p className="wrap-anywhere">
          <Badge tone={tested.is_ok ? 'good' : 'bad'}>{tested.is_ok ? t`It answers` : t`It cannot be used`}</Badge>{' '}
          {tested.is_ok ? answered : tested.error_message}
        </p>
      )}
    </div>
  )
}
