import { formatDue, formatExactTime, formatTime } from '../../platform/format.ts'

/** A moment as people say it; exactly, for those who point at it. @param isDue for one that is still to come */
export const Time = ({ iso, isDue = false }: { iso: string; isDue?: boolean }) => (
  <time dateTime={iso} title={formatExactTime(iso)} className="whitespace-nowrap">
    {isDue ? formatDue(iso) : formatTime(iso)}
  </time>
)
