import type { Location } from '../../content/read/parsed-document.ts'
import { clockTime } from '../../content/read/text/timed-paragraphs.ts'

/** Describes a location: `page 3, Safety > Fire`, `sheet Prices, rows 2-11`, `12:05`. Empty if nothing is known. */
export function formatLocation({
  page,
  slide,
  sheet,
  row_start,
  row_end,
  line_start,
  line_end,
  time_start,
  heading_path = [],
  ...rest
}: Location): string {
  const parts: string[] = []
  if (rest.attachment) parts.push(`attachment ${rest.attachment}`)
  if (page) parts.push(`page ${page}`)
  if (slide) parts.push(`slide ${slide}`)
  if (sheet) parts.push(`sheet ${sheet}`)
  if (row_start) parts.push(range('row', row_start, row_end))
  if (time_start !== undefined) parts.push(clockTime(time_start))
  if (line_start && time_start === undefined) parts.push(range('line', line_start, line_end))
  // The heading of what is said is its time.
  if (heading_path.length > 0 && time_start === undefined) parts.push(heading_path.join(' > '))
  if (rest.by_hand) parts.push(`${rest.by_hand} by hand`)
  return parts.join(', ')
}

const range = (what: string, from: number, to: number | undefined): string =>
  to && to > from ? `${what}s ${from}-${to}` : `${what} ${from}`
