import { formatExactTime, formatTime } from '../platform/format.ts'

/** A moment as people say it; exactly, for those who point at it. */
export const Time = ({ iso }: { iso: string }) => (
  <time dateTime={iso} title={formatExactTime(iso)} className="whitespace-nowrap">
    {formatTime(iso)}
  </time>
)
