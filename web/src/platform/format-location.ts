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
  if (row_start) parts.push(range('row', row_start, row_end))
  if (line_start) parts.push(range('line', line_start, line_end))
  const place = parts.join(', ')
  return place.slice(0, 1).toUpperCase() + place.slice(1)
}

const range = (what: string, from: number, to: number | undefined): string =>
  to && to > from ? `${what}s ${from}–${to}` : `${what} ${from}`
