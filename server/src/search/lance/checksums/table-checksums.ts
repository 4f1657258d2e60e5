import { type FileHandle, open, opendir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { undefinedIfGone } from '../gone.ts'
import { type Checksum, type Checksums, readChecksums, writeChecksums } from './checksum-file.ts'

const READ_BYTES = 256 * 1024
const ENTRIES_AT_ONCE = 500
const UNREADABLE = 'the checksums of its files are damaged'
/** The one file that LanceDB writes again, and can do without; and files that are still being written. */
const NOT_FINAL = /^latest_version_hint\.json$|^\.tmp|#/

const folderOf = (uri: string, table: string) => join(uri, `${table}.lance`)

const notesOf = (uri: string, table: string) => join(uri, `${table}.checksums`)

/**
 * Notes the checksums of a table's files beside its folder: of those that have none yet. Those of files that are gone
 * are forgotten. LanceDB gives every file a name of its own and never changes what it has written: a file with other
 * bytes is damaged, even where LanceDB can still make sense of it.
 * @param options.compareSizes whether files that are noted are looked at, too, by their sizes alone. Default false.
 * @returns what is damaged, in words; undefined if nothing was seen
 */
export async function noteChecksums(
  uri: string,
  table: string,
  { compareSizes = false } = {},
): Promise<string | undefined> {
  const folder = folderOf(uri, table)
  const identity = await readIdentity(folder)
  if (!identity) return forgetChecksums(uri, table)
  const noted = await readChecksums(notesOf(uri, table))
  if (noted === 'unreadable') return UNREADABLE
  const files = await filesBelow(folder)
  const isNew = (file: string) => !noted.has(file)
  if (files.some(isNew) || files.length < noted.size) {
    const checksums = await computeChecksums(folder, files.filter(isNew))
    for (const file of files) if (noted.has(file)) checksums.set(file, noted.get(file)!)
    // Another process may have dropped the table and made it again: its first versions have the names of the old ones.
    if ((await readIdentity(folder)) === identity) await writeChecksums(notesOf(uri, table), checksums)
  }
  return compareSizes ? inWords(await filesOfOtherSize(folder, noted)) : undefined
}

/**
 * Reads all files whose checksums are noted. Those that are gone are passed over: they are no longer needed, or reading
 * the table fails.
 * @param onFile called after each
 * @returns what is damaged, in words; undefined if nothing is
 */
export async function compareChecksums(
  uri: string,
  table: string,
  onFile: () => Promise<void>,
): Promise<string | undefined> {
  const noted = await readChecksums(notesOf(uri, table))
  if (noted === 'unreadable') return UNREADABLE
  const found = await computeChecksums(folderOf(uri, table), [...noted.keys()], onFile)
  const changed = [...found].filter(([file, checksum]) => !isSame(checksum, noted.get(file))).map(([file]) => file)
  if (changed.length === 0) return undefined
  // The table may have been dropped and recreated meanwhile.
  const latest = await readChecksums(notesOf(uri, table))
  if (latest === 'unreadable') return UNREADABLE
  return inWords(changed.filter((file) => isSame(latest.get(file), noted.get(file))))
}

/** Lets all checksums be noted again: of a table that begins, whose files may have names of earlier ones. */
export async function forgetChecksums(uri: string, table: string): Promise<undefined> {
  await rm(notesOf(uri, table), { force: true })
}

const isSame = (one: Checksum | undefined, other: Checksum | undefined) =>
  one?.bytes === other?.bytes && one?.crc === other?.crc

function inWords([first, ...others]: string[]): string | undefined {
  if (!first) return undefined
  const more = others.length > 0 ? ` and ${others.length} more of its files` : ''
  return `${first}${more} changed after being written`
}

async function filesBelow(folder: string, below = ''): Promise<string[]> {
  // Some at a time: all at once would hold up everything else while they become objects.
  const entries = await opendir(join(folder, below), { bufferSize: ENTRIES_AT_ONCE }).catch(undefinedIfGone)
  const files: string[] = []
  for await (const entry of entries ?? []) {
    const path = below ? `${below}/${entry.name}` : entry.name
    if (entry.isDirectory()) for (const file of await filesBelow(folder, path)) files.push(file)
    else if (entry.isFile() && !NOT_FINAL.test(entry.name)) files.push(path)
  }
  return files
}

/** Reads one file after another, and little at once: beside a server that has people waiting. */
async function computeChecksums(folder: string, files: string[], onFile = async () => {}): Promise<Checksums> {
  const checksums: Checksums = new Map()
  const buffer = Buffer.allocUnsafe(READ_BYTES)
  for (const path of files) {
    const file = await open(join(folder, path)).catch(undefinedIfGone)
    if (!file) continue
    try {
      checksums.set(path, await computeChecksum(file, buffer))
    } finally {
      await file.close()
    }
    await onFile()
  }
  return checksums
}

async function computeChecksum(file: FileHandle, buffer: Buffer): Promise<Checksum> {
  let bytes = 0
  let crc = 0
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length)
    crc = crc32(buffer.subarray(0, bytesRead), crc)
    bytes += bytesRead
    if (bytesRead < buffer.length) return { bytes, crc }
  }
}

async function filesOfOtherSize(folder: string, noted: Checksums): Promise<string[]> {
  const changed: string[] = []
  for (const [path, { bytes }] of noted) {
    const file = await stat(join(folder, path)).catch(undefinedIfGone)
    if (file && file.size !== bytes) changed.push(path)
  }
  return changed
}

/** Another one for a folder that was recreated. */
async function readIdentity(folder: string): Promise<string | undefined> {
  const found = await stat(folder).catch(undefinedIfGone)
  return found && `${found.ino} ${found.birthtimeMs}`
}
