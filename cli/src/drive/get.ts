import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { notFound, usageError } from '../failures.ts'
import { requireFree } from '../path-to-write.ts'
import { openSession, startedIn } from '../session.ts'
import { showProgress } from '../terminal/progress.ts'
import { findPlace, listTree, namesIn, toPath } from './remote-drive.ts'
import { safeNames } from './safe-names.ts'
import { downloadFile, forEachAtOnce, openContent } from './transfer.ts'

/** Adds `docent get`. */
export const addGet = (program: Command) =>
  program
    .command('get')
    .description('download a file, or a folder with all below it')
    .argument('<path>', 'file or folder in the drive')
    .argument('[to]', 'file or folder here; - for standard output', '.')
    .option('-f, --force', 'overwrite files that are here')
    .action(async (path: string, to: string, { force = false }: { force?: boolean }, command: Command) =>
      get(path, to, force, command),
    )

async function get(path: string, to: string, isForced: boolean, command: Command): Promise<void> {
  const session = await openSession(command)
  const { client } = session
  const place = await findPlace(client, path)
  if (!place) throw notFound(`There is nothing at ${toPath(namesIn(path))}`)
  if (place.kind === 'root') throw usageError('Name a folder or a file: docent get drive:/Handbooks')
  if (to === '-') {
    if (place.kind !== 'file') throw usageError('Only one file can go to standard output')
    return pipeline(await openContent(client, place.files[0]), process.stdout, { end: false })
  }
  const target = resolve(startedIn(), to)
  const isInto = existsSync(target) && statSync(target).isDirectory()
  const name = safeNames([place.kind === 'file' ? place.files[0].title : place.folder.name])[0]!
  const base = isInto ? join(target, name) : target
  const files =
    place.kind === 'file'
      ? [{ file: place.files[0], path: base }]
      : safePaths(await listTree(client, place.folder.id)).map(({ file, path: below }) => ({
          file,
          path: join(base, below),
        }))
  requireFree(
    files.map((one) => one.path),
    isForced,
  )
  const progress = showProgress('Downloading', files.length)
  let done = 0
  await forEachAtOnce(files, async ({ file, path: local }) => {
    await downloadFile(client, file, local)
    progress.update(++done, file.title)
  }).finally(progress.end)
  session.print({ files: files.map(({ file, path: local }) => ({ id: file.id, path: local })) }, () =>
    files.map(({ path: local }) => local),
  )
}

/** Paths below the folder, in names that every file system takes; of several files of one name the later get a number. */
function safePaths<T extends { names: string[] }>(files: T[]): (T & { path: string })[] {
  const taken = new Set<string>()
  return files.map((file) => {
    const names = safeNames(file.names)
    const wanted = join(...names)
    let path = wanted
    for (let number = 2; taken.has(path.toLowerCase()); number++)
      path = wanted.replace(/(\.[^./\\]*)?$/, ` (${number})$1`)
    taken.add(path.toLowerCase())
    return { ...file, path }
  })
}
