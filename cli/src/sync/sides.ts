import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { DataSource, Docent, SubFolder } from '@docent/sdk'
import { isFile } from '../drive/remote-drive.ts'
import { safeNames } from '../drive/safe-names.ts'

export interface LocalFile {
  key: string
  names: string[]
  path: string
  size: number
  modifiedMs: number
}

export interface RemoteFile {
  key: string
  names: string[]
  file: DataSource
}

export interface Skipped {
  path: string
  reason: string
}

/** Begin of the names of downloads that are not whole yet; like all hidden files they are not synced. */
export const DRAFT = '.docent-draft-'

/**
 * Path by which both sides know a file: as any file system may keep it, in any case and Unicode form. What differs in
 * those alone is one file on macOS and Windows, and folders of the drive are the same in any case.
 */
export const keyOf = (names: readonly string[]): string =>
  safeNames(names)
    .map((name) => name.normalize('NFC').toLowerCase())
    .join('/')

const isHidden = (names: readonly string[]) => names.some((name) => name.startsWith('.'))

/** Files of a directory and below it, without hidden ones and links; drafts of a sync that was killed are removed. */
export async function listLocal(directory: string) {
  const files = new Map<string, LocalFile>()
  const skipped: Skipped[] = []
  async function visit(names: string[]): Promise<void> {
    const entries = await readdir(join(directory, ...names), { withFileTypes: true })
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(directory, ...names, entry.name)
      const full = [...names, entry.name]
      if (entry.isFile() && entry.name.startsWith(DRAFT)) await rm(path, { force: true })
      if (entry.name.startsWith('.')) continue
      if (entry.isDirectory()) await visit(full)
      else if (entry.isFile()) {
        const { size, mtimeMs } = await stat(path)
        const key = keyOf(full)
        const other = files.get(key)
        if (other) skipped.push({ path: full.join('/'), reason: `differs from ${other.names.join('/')} in case alone` })
        else files.set(key, { key, names: full, path, size, modifiedMs: mtimeMs })
      } else skipped.push({ path: full.join('/'), reason: 'is no plain file' })
    }
  }
  await visit([])
  return { files, skipped }
}

/** Files of a folder of the drive and below it, and the ids of its folders by their keys. */
export async function listRemote(client: Docent, folderId: string) {
  const folders = new Map<string, SubFolder>()
  const sources = new Map<string, DataSource>()
  // By id: what is added while pages are read moves others on to the next page.
  for await (const item of client.dataSources.list(folderId, { page_size: 500, recursive: true }))
    if (isFile(item)) sources.set(item.id, item)
    else folders.set(item.id, item)
  const namesOf = (id: string): string[] => {
    const folder = id === folderId ? undefined : folders.get(id)
    return folder ? [...(folder.parent_kb_id ? namesOf(folder.parent_kb_id) : []), folder.name] : []
  }
  const files = new Map<string, RemoteFile>()
  const skipped: Skipped[] = []
  const newestFirst = [...sources.values()].sort((a, b) => (a.created_at < b.created_at ? 1 : -1))
  for (const file of newestFirst) {
    const names = [...namesOf(file.knowledge_base_id), file.title]
    if (isHidden(names)) continue
    const key = keyOf(names)
    const known = files.get(key)
    if (!known) files.set(key, { key, names, file })
    // The newest counts among files of one name.
    else if (known.file.title !== file.title || known.file.knowledge_base_id !== file.knowledge_base_id)
      skipped.push({ path: names.join('/'), reason: `cannot be told from ${known.names.join('/')} on a disk` })
  }
  const folderIds = new Map([...folders.keys()].map((id) => [keyOf(namesOf(id)), id]))
  return { files, skipped, folderIds: folderIds.set('', folderId) }
}

export const hashFile = (path: string): Promise<string> => hashContent(createReadStream(path))

export async function hashContent(content: Readable): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(content, hash)
  return hash.digest('hex')
}
