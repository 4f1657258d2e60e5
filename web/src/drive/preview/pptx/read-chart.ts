/** Values of a chart as rows of a table: the series side by side, a category a row. None where the file stores no values. */
export function readChart(chart: Document): string[][] {
  const series = [...chart.getElementsByTagName('c:ser')]
  const columns = series.map((one) => pointsIn(one, 'c:val', 'c:yVal'))
  const categories = series.map((one) => pointsIn(one, 'c:cat', 'c:xVal')).find(({ size }) => size > 0) ?? new Map()
  const places = [...new Set(columns.flatMap((column) => [...column.keys()]))].toSorted((a, b) => a - b)
  if (places.length === 0) return []
  const names = series.map((one) => [...pointsIn(one, 'c:tx').values()].join(' '))
  return [
    ['', ...names],
    ...places.map((at) => [categories.get(at) ?? String(at + 1), ...columns.map((column) => column.get(at) ?? '')]),
  ]
}

/** Points that the first of some parts of a series stores, by their number. */
function pointsIn(series: Element, ...tags: string[]): Map<number, string> {
  const part = [...series.children].find(({ tagName }) => tags.includes(tagName))
  return new Map(
    [...(part?.getElementsByTagName('c:pt') ?? [])].map((point) => [
      Number(point.getAttribute('idx')),
      point.getElementsByTagName('c:v')[0]?.textContent ?? '',
    ]),
  )
}
