import type { Location } from '@docent/sdk'
import { t } from '@lingui/core/macro'

/** Description of a location in a document: `Page 3`, `Sheet Prices, rows 2–11`. Empty if unknown. */
export function formatLocation({
  page,
  slide,
  sheet,
  row_start,
  row_end,
  line_start,
  line_end,
  attachment,
}: Location): string {
  const parts: string[] = []
  if (attachment) parts.push(t`attachment ${attachment}`)
  if (page) parts.push(t`page ${page}`)
  if (slide) parts.push(t`slide ${slide}`)
  if (sheet) parts.push(t`sheet ${sheet}`)
  if (row_start) parts.push(isRange(row_start, row_end) ? t`rows ${row_start}–${row_end}` : t`row ${row_start}`)
  if (line_start) parts.push(isRange(line_start, line_end) ? t`lines ${line_start}–${line_end}` : t`line ${line_start}`)
  const place = parts.join(', ')
  return place.slice(0, 1).toUpperCase() + place.slice(1)
}

const isRange = (from: number, to: number | undefined): to is number => to !== undefined && to > from
