import type { Location } from '@docent/sdk'
import { t } from '@lingui/core/macro'

/** Description of a location in a document: `Page 3`, `Sheet Prices, rows 2–11`, `12:05`. Empty if unknown. */
export function formatLocation({
  page,
  slide,
  sheet,
  row_start,
  row_end,
  line_start,
  line_end,
  time_start,
  attachment,
  by_hand,
}: Location): string {
  const parts: string[] = []
  if (attachment) parts.push(t`attachment ${attachment}`)
  if (page) parts.push(t`page ${page}`)
  if (slide) parts.push(t`slide ${slide}`)
  if (sheet) parts.push(t`sheet ${sheet}`)
  if (row_start) parts.push(isRange(row_start, row_end) ? t`rows ${row_start}–${row_end}` : t`row ${row_start}`)
  if (time_start !== undefined) parts.push(clockTime(time_start))
  else if (line_start)
    parts.push(isRange(line_start, line_end) ? t`lines ${line_start}–${line_end}` : t`line ${line_start}`)
  if (by_hand) parts.push(by_hand === 'edited' ? t`edited by hand` : t`added by hand`)
  const place = parts.join(', ')
  return place.slice(0, 1).toUpperCase() + place.slice(1)
}

/** `2:05` or `1:02:05` of seconds. */
export function clockTime(seconds: number): string {
  const two = (part: number) => String(part).padStart(2, '0')
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}

/** Headings above a passage; what is heard has its time for one. */
export const headingsOf = ({ heading_path = [], time_start }: Location): string[] =>
  time_start === undefined ? heading_path : []

const isRange = (from: number, to: number | undefined): to is number => to !== undefined && to > from
