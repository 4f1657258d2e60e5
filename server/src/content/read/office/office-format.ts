import { parseFailures } from '../parse.errors.ts'
import type { ParseLimits } from '../parser/parse-limits.ts'
import { openZip, type ZipArchive } from './zip-archive.ts'

export type OfficeFormat = 'docx' | 'pptx' | 'xlsx' | 'odt' | 'odp' | 'ods' | 'odg' | 'epub'

const openDocument: Record<string, OfficeFormat> = {
  text: 'odt',
  presentation: 'odp',
  spreadsheet: 'ods',
  graphics: 'odg',
}

/**
 * Kind of document in a ZIP archive, by its entries.
 * @throws ParseError when it is cut off, protected, unpacks too far, or is no document that is read.
 */
export async function detectOfficeFormat(bytes: Buffer, name: string, limits: ParseLimits): Promise<OfficeFormat> {
  const zip = await openZip(bytes).catch((error: Error) => {
    const isCut = /end of central directory/i.test(error.message)
    throw parseFailures.damaged(namedFormat(name, bytes), isCut ? 'it is cut off' : 'its list of files is not valid')
  })
  if (zip.entries.some((entry) => entry.isEncrypted())) throw parseFailures.encrypted()
  const format = await detectFormat(zip)
  const unpacked = zip.entries.reduce((sum, entry) => sum + entry.uncompressedSize, 0)
  if (unpacked > limits.expandedBytes) throw parseFailures.expandsTooFar(limits.expandedBytes)
  return format
}

async function detectFormat(zip: ZipArchive): Promise<OfficeFormat> {
  const has = (test: (name: string) => boolean) => zip.entries.some((entry) => test(entry.fileName))
  const mime = (await zip.read('mimetype', 1024))?.toString('latin1').trim() ?? ''
  if (mime === 'application/epub+zip') return 'epub'
  const kind = /^application\/vnd\.oasis\.opendocument\.([a-z]+)/.exec(mime)?.[1]
  if (kind && openDocument[kind]) return openDocument[kind]
  if (has((entry) => entry === 'xl/workbook.bin'))
    throw parseFailures.convertFirst('An Excel file of the binary format (XLSB)', 'XLSX or CSV')
  if (has((entry) => entry === '[Content_Types].xml')) {
    if (has((entry) => entry.startsWith('word/'))) return 'docx'
    if (has((entry) => entry.startsWith('xl/'))) return 'xlsx'
    if (has((entry) => entry.startsWith('ppt/'))) return 'pptx'
  }
  if (has((entry) => entry === 'META-INF/container.xml')) return 'epub'
  if (has((entry) => entry.startsWith('Index/') && entry.endsWith('.iwa')) || has((entry) => entry === 'Index.zip'))
    throw parseFailures.convertFirst('A Pages, Numbers or Keynote file', 'DOCX, XLSX, PPTX or PDF')
  throw parseFailures.archive()
}

/**
 * Intended kind of an archive without its directory: by its first entries, which lie at the front, else by its name.
 */
function namedFormat(name: string, zip: Buffer): string {
  const front = zip.subarray(0, 4096).toString('latin1')
  if (front.includes('word/')) return 'DOCX'
  if (front.includes('xl/')) return 'XLSX'
  if (front.includes('ppt/')) return 'PPTX'
  return /\.(docx|pptx|xlsx|odt|odp|ods|odg|epub)$/i.exec(name)?.[1]?.toUpperCase() ?? 'a ZIP archive'
}
