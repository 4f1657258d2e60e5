import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { driveOf } from '../drive/drive.ts'
import { startTestApp, type TestApp } from '../test-app.ts'
import { linkedFoldersOf } from './linked-folders.ts'

/** Keys of all stored blobs. */
export async function blobKeysOf({ blobs }: TestApp['services']): Promise<string[]> {
  const keys: string[] = []
  for await (const key of blobs.keys()) keys.push(key)
  return keys
}

/** A folder beside the server's own, which goes away when the test ends. */
export async function sourceFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'docent-source-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
  return folder
}

/** A folder `docs` below the allowed root, with files by their path. */
export async function sourceOf(files: Record<string, string>) {
  const root = await sourceFolder()
  const docs = join(root, 'docs')
  await mkdir(docs)
  const write = async (path: string, content: string) => {
    await mkdir(dirname(join(docs, path)), { recursive: true })
    await writeFile(join(docs, path), content)
  }
  for (const [path, content] of Object.entries(files)) await write(path, content)
  return { root, docs, write, path: (path: string) => join(docs, path) }
}

/** A server that may read the directory, with what tests ask it. */
export async function startWithDirectory(files: Record<string, string> = {}, settings: Record<string, string> = {}) {
  const source = await sourceOf(files)
  const app = await startTestApp({ DOCENT_DIRECTORY_ROOTS: source.root, ...settings })
  return { ...app, ...driveOf(app), source, ...directoriesOf(app) }
}

/** Linked directories over the API. */
export function directoriesOf(app: Pick<TestApp, 'call' | 'services'>) {
  const linked = linkedFoldersOf(app)
  const create = (path: string, fields: Record<string, unknown> = {}, config: Record<string, unknown> = {}) =>
    linked.create({ kind: 'directory', config: { path, ...config }, ...fields })
  const createAndSync = (...given: Parameters<typeof create>) => linked.whenMade(create(...given))
  return { ...linked, create, createAndSync }
}
