const BEFORE = 40
const MOST = 160

/** Part of a passage around the first word of the search that it holds; its begin if it holds none. */
export function excerptOf(text: string, search: string): string {
  const said = text.replaceAll(/\s+/g, ' ').trim()
  const lower = said.toLowerCase()
  const places = search
    .toLowerCase()
    .split(/\s+/)
    .map((word) => (word === '' ? -1 : lower.indexOf(word)))
    .filter((at) => at >= 0)
  const at = places.length === 0 ? 0 : Math.min(...places)
  const start = at <= BEFORE ? 0 : said.indexOf(' ', at - BEFORE) + 1
  const end = Math.min(said.length, start + MOST)
  return `${start > 0 ? '…' : ''}${said.slice(start, end).toWellFormed()}${end < said.length ? '…' : ''}`
}
