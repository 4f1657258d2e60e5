import { readdir, stat } from 'node:fs/promises'
import { basename, join, relative, resolve, sep } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { DataSource, Docent } from '@docent/sdk'
import type { Command } from 'commander'
import { about, EXIT, usageError } from '../failures.ts'
import { groupBy } from '../group-by.ts'
import { openSession, startedIn } from '../session.ts'
import { showProgress } from '../terminal/progress.ts'
import { visible } from '../terminal/table.ts'
import { ensureFolder, findFolder, findPlace, listFiles, namesIn, type RemoteFolder, toPath } from './remote-drive.ts'
import { forEachAtOnce, NO_EMPTY_FILES, uploadFile } from './transfer.ts'

interface Upload {
  path: string
  /** Names from the root of the drive to the file. */
  names: string[]
  /** Whether it is an empty file of a folder, which stops no others. */
  isLeftOut?: boolean
}

interface Added {
  id: string
  path: string
  status: string
  folderId: string
  /** Undefined for a file that got a new version. */
  createdAt: string | undefined
}

interface PutOptions {
  wait?: boolean
  keep?: boolean
  unpack?: boolean
}

/** Adds `docent put`. */
export const addPut = (program: Command) =>
  program
    .command('put')
    .description(
      'upload files and folders; a file of the same name gets the new content and keeps its id, folders are made',
    )
    .argument(
      '<paths...>',
      'files and folders here, then the folder in the drive: docent put a.pdf b/ drive:/Handbooks',
    )
    .option('--wait', 'wait until all of it can be searched')
    .option('--keep', 'leave files of the same name beside the new ones')
    .option('--unpack', 'make folders of ZIP archives, which go once all of them is unpacked')
    .action(async (paths: string[], options: PutOptions, command: Command) => put(paths, options, command))

async function put(paths: string[], { wait, keep, unpack }: PutOptions, command: Command): Promise<void> {
  const target = paths.pop()!
  if (paths.length === 0) throw usageError('Name what to upload, then the folder: docent put FILE drive:/FOLDER')
  const session = await openSession(command)
  const { client } = session
  const local = await Promise.all(
    paths.map(async (path) => ({ path: resolve(startedIn(), path), isFolder: await isFolder(path) })),
  )
  const names = await namesOfTarget(client, target, local)
  const found = (await Promise.all(local.map((one) => listUploads(one, names)))).flat()
  const uploads = found.filter(({ isLeftOut }) => !isLeftOut)
  const folders = await ensureFolders(client, uploads)
  const progress = showProgress('Uploading', uploads.length)
  const added: Added[] = []
  await forEachAtOnce(uploads, async ({ path, names: full }) => {
    const folder = folders.get(toPath(full.slice(0, -1)))!
    const title = full.at(-1)!
    const before = keep ? [] : await listFiles(client, folder.id, title)
    const made = await uploadFile(client, path, {
      folderId: folder.id,
      title,
      replaced: before.map(({ id }) => id),
      isUnpacked: unpack === true && /\.zip$/i.test(title),
    }).catch((error) => {
      throw about(shown(path), error)
    })
    added.push({
      id: made._id,
      path: toPath(full),
      status: made.status,
      folderId: folder.id,
      createdAt: 'created_at' in made ? made.created_at : undefined,
    })
    progress.update(added.length, title)
  }).finally(progress.end)
  const failed = wait ? await waitForAll(client, added, unpack ? waitBelow : waitIn) : []
  const files = added.map(({ id, path, status }) => ({ id, path, status })).sort((a, b) => (a.path < b.path ? -1 : 1))
  const skipped = found
    .filter(({ isLeftOut }) => isLeftOut)
    .map(({ path }) => ({ path: shown(path), reason: NO_EMPTY_FILES }))
  session.print({ files, failed, skipped }, () => files.map(({ path }) => path))
  for (const { path, reason } of skipped) session.tell(`left alone: ${visible(path)} ${reason}`)
  for (const { title, status_reason } of failed) session.tell(`${title}: ${status_reason ?? 'it could not be indexed'}`)
  if (failed.length > 0) process.exitCode = EXIT.failed
}

/** A path here, as it would be typed. */
const shown = (path: string) => relative(startedIn(), path)

const isFolder = async (path: string) => (await stat(resolve(startedIn(), path))).isDirectory()

/** Target of an upload: a single file takes the name in the path, unless that is a folder or ends in a slash. */
async function namesOfTarget(client: Docent, target: string, local: { path: string; isFolder: boolean }[]) {
  const names = namesIn(target)
  const [only] = local
  const isNamed = local.length === 1 && !only!.isFolder && !target.endsWith('/') && names.length > 1
  if (!isNamed || (await findFolder(client, names))) return { folder: names, title: undefined }
  const isFile = (await findPlace(client, target))?.kind === 'file' || /\.[^./]+$/.test(names.at(-1)!)
  return isFile ? { folder: names.slice(0, -1), title: names.at(-1) } : { folder: names, title: undefined }
}

async function listUploads(
  { path, isFolder }: { path: string; isFolder: boolean },
  { folder, title }: { folder: string[]; title: string | undefined },
): Promise<Upload[]> {
  if (!isFolder) return [{ path, names: [...folder, title ?? basename(path)] }]
  const entries = await readdir(path, { withFileTypes: true, recursive: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ path: file, names: [...folder, basename(path), ...relative(path, file).split(sep)] }))
    .filter(({ names }) => !names.slice(folder.length).some((name) => name.startsWith('.')))
  return Promise.all(files.map(async (file) => ({ ...file, isLeftOut: (await stat(file.path)).size === 0 })))
}

async function ensureFolders(client: Docent, uploads: Upload[]): Promise<Map<string, RemoteFolder>> {
  const folders = new Map<string, RemoteFolder>()
  for (const { names } of uploads) {
    const path = toPath(names.slice(0, -1))
    if (!folders.has(path)) folders.set(path, await ensureFolder(client, names.slice(0, -1)))
  }
  return folders
}

async function waitForAll(client: Docent, added: Added[], waitFor: typeof waitIn): Promise<DataSource[]> {
  const byFolder = groupBy(added, ({ folderId }) => folderId)
  const waits = [...byFolder].map(([folderId, files]) => waitFor(client, folderId, files))
  return (await Promise.all(waits)).flat()
}

async function waitIn(client: Docent, folderId: string, files: Added[]): Promise<DataSource[]> {
  const dataSourceIds = files.map(({ id }) => id)
  return (await client.knowledgeBases.waitUntilIndexed(folderId, { dataSourceIds })).failed
}

const LOOK_MS = 500
const PAGE_SIZE = 500
/** Time that sorts after every other. */
const LAST = '9999'

/** Waits for all that came since: an archive becomes files below its folder, and then is gone. */
async function waitBelow(client: Docent, folderId: string, files: Added[]): Promise<DataSource[]> {
  const since = files.map(({ createdAt }) => createdAt ?? LAST).sort()[0]!
  const ids = new Set(files.map(({ id }) => id))
  for (;;) {
    const found: DataSource[] = []
    for (let page = 0, isMore = true; isMore; page++) {
      const query = { recursive: true, page, page_size: PAGE_SIZE }
      const { data_sources } = await client.dataSources.list(folderId, query)
      isMore = data_sources.length === PAGE_SIZE
      found.push(
        ...data_sources
          .filter((one) => 'status' in one)
          .filter(({ id, created_at }) => ids.has(id) || created_at >= since),
      )
    }
    if (found.every(({ status }) => status === 'successful' || status === 'failed'))
      return found.filter(({ status }) => status === 'failed')
    await delay(LOOK_MS)
  }
}
