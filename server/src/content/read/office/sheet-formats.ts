import { openZip } from './zip-archive.ts'

/** Shows stored numbers as the sheet shows them, where the difference matters: dates, times and percentages. */
export interface SheetFormats {
  /** @param xml the cell's element, which names its style */
  display(value: string, xml: string | undefined): string
}

type Kind = 'date' | 'time' | 'datetime' | 'percent'

/** Formats that every workbook knows by number. */
const builtIn: Record<number, Kind> = { 9: 'percent', 10: 'percent', 22: 'datetime' }
for (const id of [14, 15, 16, 17, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58]) builtIn[id] = 'date'
for (const id of [18, 19, 20, 21, 32, 33, 34, 35, 45, 46, 47, 55, 56]) builtIn[id] = 'time'

const DAY_MS = 86_400_000
const EPOCH_1900 = Date.UTC(1899, 11, 30)
const EPOCH_1904 = Date.UTC(1904, 0, 1)
const MAX_DAY = 2_958_466

/** Number formats of a workbook, or undefined when it has no dates and no percentages. */
export async function readSheetFormats(workbook: Buffer, maxBytes: number): Promise<SheetFormats | undefined> {
  const zip = await openZip(workbook)
  const read = async (name: string) =>
    (await zip.read(name, Math.min(maxBytes, 16 * 1024 * 1024)))?.toString('utf8') ?? ''
  const kinds = styleKinds(await read('xl/styles.xml'))
  if (!kinds.some(Boolean)) return undefined
  const epoch = /<workbookPr[^>]*date1904="(?:1|true)"/.test(await read('xl/workbook.xml')) ? EPOCH_1904 : EPOCH_1900
  return {
    display(value, xml) {
      if (!xml || !/^-?\d/.test(value)) return value
      const element = xml.slice(0, xml.indexOf('>') + 1)
      if (/\bt="(?:s|str|inlineStr|b|e)"/.test(element)) return value
      const kind = kinds[Number(/\bs="(\d+)"/.exec(element)?.[1])]
      const stored = Number(value)
      return kind && Number.isFinite(stored) ? show(stored, kind, epoch) : value
    },
  }
}

function styleKinds(styles: string): (Kind | undefined)[] {
  const custom = new Map<number, Kind | undefined>()
  for (const [format] of styles.matchAll(/<numFmt\b[^>]*>/g)) {
    const id = Number(/numFmtId="(\d+)"/.exec(format)?.[1])
    custom.set(id, formatKind(/formatCode="([^"]*)"/.exec(format)?.[1] ?? ''))
  }
  const cellFormats = /<cellXfs\b[^>]*>([\s\S]*?)<\/cellXfs>/.exec(styles)?.[1] ?? ''
  return [...cellFormats.matchAll(/<xf\b[^>]*>/g)].map(([format]) => {
    const id = Number(/numFmtId="(\d+)"/.exec(format)?.[1])
    return custom.has(id) ? custom.get(id) : builtIn[id]
  })
}

/** Kind of value that a format code shows, read without its quoted words, colours and escaped characters. */
function formatKind(code: string): Kind | undefined {
  const plain = code
    .replace(/&quot;[^&]*&quot;|"[^"]*"|\\.|_./g, '')
    .replace(/\[(?![hms]+\])[^\]]*\]/gi, '')
    .split(';', 1)[0]!
    .toLowerCase()
  const time = /[hs]|\[m/.test(plain)
  const date = /[yd]/.test(plain) || (/m/.test(plain) && !time)
  if (date) return time ? 'datetime' : 'date'
  if (time) return 'time'
  return plain.includes('%') ? 'percent' : undefined
}

function show(value: number, kind: Kind, epoch: number): string {
  if (kind === 'percent') return `${Number((value * 100).toPrecision(12))}%`
  if (value < 0 || value > MAX_DAY) return String(value)
  const iso = new Date(epoch + Math.round(value * DAY_MS)).toISOString()
  const time = iso.endsWith('00.000Z') ? iso.slice(11, 16) : iso.slice(11, 19)
  if (kind === 'time') return value < 1 ? time : `${iso.slice(0, 10)} ${time}`
  const day = iso.slice(0, 10)
  return kind === 'datetime' && value % 1 !== 0 ? `${day} ${time}` : day
}
