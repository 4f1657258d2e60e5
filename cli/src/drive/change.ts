import type { Command } from 'commander'
import { CommandError, EXIT, notFound, usageError } from '../failures.ts'
import { openSession } from '../session.ts'
import { ensureFolder, findPlace, namesIn, type Place, toPath } from './remote-drive.ts'

/** Adds `docent mv`, `docent rm` and `docent mkdir`. */
export function addChange(program: Command): void {
  program
    .command('mv')
    .description('move or rename a file or a folder')
    .argument('<from>', 'file or folder in the drive')
    .argument('<to>', 'a folder that is there, or the new path')
    .action(async (from: string, to: string, _options: object, command: Command) => move(from, to, command))
  program
    .command('rm')
    .description('delete files and, with -r, folders with all below them, for good')
    .argument('<paths...>', 'files and folders in the drive')
    .option('-r, --recursive', 'folders, too')
    .option('-f, --force', 'no error for what is not there')
    .action(async (paths: string[], options: RemoveOptions, command: Command) => remove(paths, options, command))
  program
    .command('mkdir')
    .description('make a folder, with those above it that lack')
    .argument('<path>', 'folder in the drive')
    .action(async (path: string, _options: object, command: Command) => {
      const session = await openSession(command)
      const { id, name } = await ensureFolder(session.client, namesIn(path))
      session.print({ id, name, path: toPath(namesIn(path)) }, () => toPath(namesIn(path)))
    })
}

async function move(from: string, to: string, command: Command): Promise<void> {
  const session = await openSession(command)
  const { client } = session
  const source = await findPlace(client, from)
  if (!source) throw notFound(`There is nothing at ${toPath(namesIn(from))}`)
  if (source.kind === 'root') throw usageError('The root stays where it is')
  const target = await findPlace(client, to)
  const names = namesIn(to)
  const isItself = target?.kind === 'folder' && source.kind === 'folder' && target.folder.id === source.folder.id
  if (target?.kind === 'file') throw new CommandError(`There is a file at ${toPath(names)}: delete it first`)
  const isInto = target !== undefined && !isItself
  const parentNames = isInto ? names : names.slice(0, -1)
  const name = isInto ? nameOf(source) : names.at(-1)!
  const parent = parentNames.length > 0 ? await findPlace(client, toPath(parentNames)) : undefined
  if (parentNames.length > 0 && parent?.kind !== 'folder') throw notFound(`There is no folder ${toPath(parentNames)}`)
  const parentId = parent?.kind === 'folder' ? parent.folder.id : null
  if (source.kind === 'folder')
    await client.knowledgeBases.update(source.folder.id, { knowledge_base_name: name, parent_kb_id: parentId })
  else {
    if (parentId === null) throw usageError('Files cannot be at the root: name a folder')
    for (const { id } of source.files)
      await client.dataSources.update(source.folder.id, id, { data_source_title: name, knowledge_base_id: parentId })
  }
  const path = toPath([...parentNames, name])
  session.print({ path }, () => path)
}

const nameOf = (place: Place) =>
  place.kind === 'file' ? place.files[0].title : place.kind === 'folder' ? place.folder.name : ''

interface RemoveOptions {
  recursive?: boolean
  force?: boolean
}

async function remove(paths: string[], { recursive, force }: RemoveOptions, command: Command): Promise<void> {
  const session = await openSession(command)
  const { client } = session
  const found: { path: string; place: Exclude<Place, { kind: 'root' }> }[] = []
  for (const given of paths) {
    const path = toPath(namesIn(given))
    const place = await findPlace(client, given)
    if (!place && !force) throw notFound(`There is nothing at ${path}`)
    if (place?.kind === 'root') throw usageError('The root cannot be deleted')
    if (place?.kind === 'folder' && !recursive)
      throw new CommandError(`${path} is a folder: delete it with all below it by rm -r`, EXIT.usage)
    if (place) found.push({ path, place })
  }
  for (const { place } of found)
    if (place.kind === 'folder') await client.knowledgeBases.delete(place.folder.id)
    else
      await client.dataSources.delete(
        place.folder.id,
        place.files.map(({ id }) => id),
      )
  session.print({ deleted: found.map(({ path }) => path) }, () => found.map(({ path }) => path))
}
