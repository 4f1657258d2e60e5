import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import type { PostgresDump } from './dump-postgres.ts'
import type { Filled } from './fill-release.ts'

/** Folder with an archive for each release, by its version. */
export const RELEASES = join(import.meta.dirname, '../../releases')

/** Data of a release, as it left them. */
export interface Release {
  version: string
  /** Data folder with the embedded database, and one of a server on PostgreSQL with the dump of its database. */
  embedded: { files: Record<string, Uint8Array>; filled: Filled }
  postgres: { files: Record<string, Uint8Array>; filled: Filled; dump: PostgresDump }
}

/** Files that a server makes again: they are as large as all others. */
const LEFT_OUT = /^(cache|backups|logs)\/|^reserve$|(^|\/)server\.lock$|-(shm|wal)$/

export async function readFiles(folder: string): Promise<Record<string, Uint8Array>> {
  const files: Record<string, Uint8Array> = {}
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const name = path.slice(folder.length + 1).replaceAll('\\', '/')
    if (entry.isFile() && !LEFT_OUT.test(name)) files[name] = await readFile(path)
  }
  return files
}

export async function writeFiles(folder: string, files: Record<string, Uint8Array>): Promise<void> {
  for (const [name, bytes] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true, mode: 0o700 })
    await writeFile(join(folder, name), bytes, { mode: 0o600 })
  }
}

/** @returns path of the archive */
export async function writeRelease({ version, embedded, postgres }: Release): Promise<string> {
  const { dump, ...onPostgres } = postgres
  const entries: Record<string, Uint8Array> = {
    'release.json': strToU8(JSON.stringify({ version, embedded: embedded.filled, postgres: postgres.filled })),
    'postgres.json': strToU8(JSON.stringify(dump)),
  }
  for (const [name, bytes] of Object.entries(embedded.files)) entries[`embedded/${name}`] = bytes
  for (const [name, bytes] of Object.entries(onPostgres.files)) entries[`postgres/${name}`] = bytes
  const path = join(RELEASES, `${version}.zip`)
  await mkdir(RELEASES, { recursive: true })
  await writeFile(path, zipSync(entries, { level: 9 }))
  return path
}

export async function readRelease(version: string): Promise<Release> {
  const entries = unzipSync(await readFile(join(RELEASES, `${version}.zip`)))
  const below = (folder: string) =>
    Object.fromEntries(
      Object.entries(entries).flatMap(([name, bytes]) =>
        name.startsWith(folder) ? [[name.slice(folder.length), bytes]] : [],
      ),
    )
  const { embedded, postgres } = JSON.parse(strFromU8(entries['release.json']!))
  return {
    version,
    embedded: { files: below('embedded/'), filled: embedded },
    postgres: { files: below('postgres/'), filled: postgres, dump: JSON.parse(strFromU8(entries['postgres.json']!)) },
  }
}
