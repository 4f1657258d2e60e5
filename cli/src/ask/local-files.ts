import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join, relative, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'

export interface LocalFile {
  path: string
  /** Its path below the collection, with slashes: what the answer calls it. */
  title: string
}

/** Files that belong together: those of one folder, or a single one. */
export interface Collection {
  /** Which machine and folder it is. */
  name: string
  /** The folder that all titles start from. */
  folder: string
  files: LocalFile[]
}

/** Folders whose content no question is about. */
const NOT_DOCUMENTS = new Set(['node_modules'])
const LONGEST_NAME = 256

/** The files that are named, and those below the folders that are, without hidden ones. @throws if one does not exist */
export async function collect(paths: string[]): Promise<Collection> {
  const found = await Promise.all(paths.map(async (path) => ({ path, isFolder: (await stat(path)).isDirectory() })))
  const files = new Set(
    (await Promise.all(found.map(({ path, isFolder }) => (isFolder ? filesBelow(path) : [path])))).flat(),
  )
  const [only] = found
  const root =
    found.length === 1 ? only!.path : commonFolder(found.map(({ path, isFolder }) => (isFolder ? path : dirname(path))))
  const folder = found.length === 1 && !only!.isFolder ? dirname(root) : root
  return {
    name: shortened(`${hostname()}: ${root}`),
    folder,
    files: [...files].sort().map((path) => ({ path, title: titleOf(path, folder) })),
  }
}

/** Title of a file, from which its path is found again. */
const titleOf = (path: string, folder: string) =>
  shortened(relative(folder, path).split(sep).join('/') || basename(path))

const shortened = (text: string) => (text.length <= LONGEST_NAME ? text : `…${text.slice(1 - LONGEST_NAME)}`)

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const wanted = entries.filter(({ name }) => !name.startsWith('.') && !NOT_DOCUMENTS.has(name))
  const found = await Promise.all(
    wanted.map((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? filesBelow(path) : entry.isFile() ? [path] : []
    }),
  )
  return found.flat()
}

function commonFolder(folders: string[]): string {
  const [first, ...others] = folders.map((folder) => folder.split(sep))
  const differsAt = first!.findIndex((part, index) => others.some((other) => other[index] !== part))
  return (differsAt < 0 ? first! : first!.slice(0, differsAt)).join(sep) || sep
}

/** 16 hexadecimal characters that stand for the content of a file. */
export async function fingerprint(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex').slice(0, 16)
}
