import { isUtf8 } from 'node:buffer'
import { crc32 } from 'node:zlib'
import type { Entry, ZipFile } from 'yauzl'
import type { IndexingReason } from '../../platform/error-codes/indexing-reasons.ts'

/** Entry of an archive: a file that it holds, or why that is left out. */
export interface ArchiveEntry {
  /** Path as in the archive, with direction marks and control characters unchanged. */
  path: string
  /** Names from the top of the archive to the file. */
  names: string[]
  entry: Entry
  refusal: string | undefined
}

/** Limits that an archive as a whole has to keep to. */
export interface ArchiveLimits {
  entries: number
  /** Bytes of an entry, and of all together. */
  entryBytes: number
  bytes: number
  /** How many times its own size it may unpack to, where that is more than `freeBytes`. */
  ratio: number
  freeBytes: number
}

/** An archive that is refused as a whole, for a reason in it. */
export class ArchiveRefusedError extends Error {
  override name = 'ArchiveRefusedError'
  readonly code: IndexingReason
  constructor(code: IndexingReason, message: string) {
    super(message)
    this.code = code
  }
}

/** An entry that cannot be read, for a reason in the archive. */
export class EntryDamagedError extends Error {
  override name = 'EntryDamagedError'
}

const ENCRYPTED = 'it is password-protected'
const UTF8_FLAG = 0x800
/** Files that systems put into archives for themselves. */
const OF_SYSTEMS = /(^|\/)(__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/i

/** @throws ArchiveRefusedError */
export async function openArchive(path: string): Promise<ZipFile> {
  const { openPromise } = await import('yauzl')
  try {
    return await openPromise(path, { autoClose: false, decodeStrings: false, lazyEntries: true })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code) throw cause
    throw damaged()
  }
}

/**
 * Files of an archive in the order of its directory, without those of systems.
 * @param size of the archive, in bytes @throws ArchiveRefusedError
 */
export async function listEntries(zip: ZipFile, size: number, limits: ArchiveLimits): Promise<ArchiveEntry[]> {
  if (zip.entryCount > limits.entries)
    throw tooLarge(`it holds ${zip.entryCount} entries, and at most ${limits.entries} are unpacked`)
  const { getFileNameLowLevel, validateFileName } = await import('yauzl')
  const found: ArchiveEntry[] = []
  let bytes = 0
  try {
    for await (const entry of zip.eachEntry()) {
      const { fileNameRaw: raw, generalPurposeBitFlag: flags } = entry
      // Some programs write UTF-8 and do not say so; anything else is CP437 by the standard.
      const givenFlags = flags & UTF8_FLAG || !isUtf8(raw) ? flags : flags | UTF8_FLAG
      const path = getFileNameLowLevel(givenFlags, raw, entry.extraFields as never, false)
      if (path.endsWith('/') || OF_SYSTEMS.test(path)) continue
      bytes += entry.uncompressedSize
      const names = path.split('/').filter((name) => name !== '' && name !== '.')
      found.push({ path, names, entry, refusal: refusalOf(entry, validateFileName(path), limits) })
    }
  } catch {
    throw damaged()
  }
  if (bytes > limits.bytes) throw tooLarge(`unpacked it holds more than ${megabytes(limits.bytes)} MB`)
  if (bytes > limits.freeBytes && bytes > size * limits.ratio)
    throw tooLarge(`unpacked it is more than ${limits.ratio} times as large`)
  if (found.length === 0) throw new ArchiveRefusedError('EMPTY', 'The archive holds no files.')
  if (found.every(({ refusal }) => refusal === ENCRYPTED))
    throw new ArchiveRefusedError(
      'ENCRYPTED',
      'The archive is password-protected. Pack its files without one and upload that.',
    )
  return found
}

function refusalOf(entry: Entry, wrongName: string | null, limits: ArchiveLimits): string | undefined {
  if (wrongName !== null) return 'its path leads out of the archive'
  if (entry.isEncrypted()) return ENCRYPTED
  if (isLink(entry)) return 'it is a link'
  if (entry.uncompressedSize > limits.entryBytes) return `it is larger than ${megabytes(limits.entryBytes)} MB`
  if (!entry.canDecodeFileData()) return 'it is packed in a way that is not known'
  return undefined
}

const UNIX_FORMAT = 0o170000
const UNIX_LINK = 0o120000

const isLink = ({ externalFileAttributes }: Entry) => ((externalFileAttributes >>> 16) & UNIX_FORMAT) === UNIX_LINK

/** Bytes of an entry. @throws EntryDamagedError */
export async function* contentOfEntry(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  let crc = 0
  try {
    for await (const piece of await zip.openReadStreamPromise(entry)) {
      crc = crc32(piece as Buffer, crc)
      yield piece as Buffer
    }
  } catch (cause) {
    throw new EntryDamagedError('it is damaged', { cause })
  }
  if (crc !== entry.crc32) throw new EntryDamagedError('it is damaged')
}

const damaged = () =>
  new ArchiveRefusedError('DAMAGED', 'The archive is not readable as ZIP: it is cut off or damaged. Upload it again.')

const tooLarge = (why: string) =>
  new ArchiveRefusedError('TOO_LARGE', `The archive is too large: ${why}. Pack its files into several archives.`)

const megabytes = (bytes: number) => Math.round(bytes / 1024 ** 2)
