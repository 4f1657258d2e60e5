import { Trans } from '@lingui/react/macro'
import { formatDue, formatExactTime, formatTime } from '../../platform/format.ts'

/** Relative time; the exact one appears on hover. @param isDue for a time that is still to come */
export const Time = ({ iso, isDue = false }: { iso: string; isDue?: boolean }) => (
  <time dateTime={iso} title={formatExactTime(iso)} className="whitespace-nowrap">
    {isDue ? formatDue(iso) : formatTime(iso)}
  </time>
)

/** Time of something that may not have happened, or may not be to come. */
export const TimeOrNever = ({ iso }: { iso: string | null }) =>
  iso ? (
    <Time iso={iso} />
  ) : (
    <span className="text-muted">
      <Trans>Never</Trans>
    </span>
  )
