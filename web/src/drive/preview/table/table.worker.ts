import { unzipSync, zipSync } from 'fflate'
import Papa from 'papaparse'
import readXlsx from 'read-excel-file/universal'

export interface Sheet {
  name: string
  rows: string[][]
  /** Whether there are more rows than shown. */
  isCut: boolean
}

/** `TOO_LARGE`, or words of the library that reads tables. */
export type TableReply = { sheets: Sheet[] } | { problem: string }

class TooLargeError extends Error {
  override message = 'TOO_LARGE'
}

const MOST_ROWS = 100_000
const MOST_UNPACKED_BYTES = 300_000_000

addEventListener('message', ({ data }: MessageEvent<{ bytes: ArrayBuffer; text: string | null }>) => {
  const tell = (reply: TableReply) => postMessage(reply)
  read(data).then(
    (sheets) => tell({ sheets }),
    (error) => tell({ problem: error instanceof Error ? error.message : String(error) }),
  )
})

const read = async ({ bytes, text }: { bytes: ArrayBuffer; text: string | null }): Promise<Sheet[]> =>
  text === null ? readSheets(bytes) : [readDelimited(text)]

function readDelimited(text: string): Sheet {
  const { data } = Papa.parse<string[]>(text, { preview: MOST_ROWS + 1 })
  // The line break at the end starts no row.
  if (data.at(-1)?.every((cell) => cell === '')) data.pop()
  return toSheet('', data)
}

async function readSheets(bytes: ArrayBuffer): Promise<Sheet[]> {
  const sheets = await readXlsx(unpacked(bytes))
  return sheets.map(({ sheet, data }) =>
    toSheet(
      sheet,
      data.map((row) => row.map(toText)),
    ),
  )
}

/** Repacks the archive without compression: the reader would decompress in workers that the page's policy forbids. */
function unpacked(bytes: ArrayBuffer): ArrayBuffer {
  let size = 0
  const files = unzipSync(new Uint8Array(bytes), {
    filter({ name, originalSize }) {
      if (!/\.(xml|rels)$/i.test(name)) return false
      size += originalSize
      if (size > MOST_UNPACKED_BYTES) throw new TooLargeError()
      return true
    },
  })
  return zipSync(files, { level: 0 }).buffer as ArrayBuffer
}

const toSheet = (name: string, rows: string[][]): Sheet => ({
  name,
  rows: rows.slice(0, MOST_ROWS),
  isCut: rows.length > MOST_ROWS,
})

function toText(cell: unknown): string {
  if (cell === null || cell === undefined) return ''
  if (!(cell instanceof Date)) return String(cell)
  const iso = cell.toISOString()
  return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : iso.slice(0, 16).replace('T', ' ')
}
