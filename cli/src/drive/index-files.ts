import type { Docent } from '@docent/sdk'
import type { Command } from 'commander'
import { notFound, usageError } from '../failures.ts'
import { openSession } from '../session.ts'
import { findPlace, isFile, namesIn, toPath } from './remote-drive.ts'

interface IndexOptions {
  cancel?: boolean
}

/** Most ids of one request. */
const AT_ONCE = 100

/** Adds `docent index`. */
export function addIndex(program: Command): void {
  program
    .command('index')
    .description('index files again, and those below folders; with --cancel, end their indexing')
    .argument('<paths...>', 'files and folders in the drive')
    .option('--cancel', 'end the indexing of those that wait for it or are being read')
    .action(async (paths: string[], options: IndexOptions, command: Command) => indexFiles(paths, options, command))
}

async function indexFiles(paths: string[], { cancel = false }: IndexOptions, command: Command): Promise<void> {
  const session = await openSession(command)
  const { client } = session
  // By folder, as the API takes them; all paths are looked at before the first request changes something.
  const chosen = new Map<string, Set<string>>()
  for (const path of paths) await choose(client, path, chosen)
  const files: { id: string; title: string; status: string }[] = []
  for (const [folder, ids] of chosen)
    for (let from = 0; from < ids.size; from += AT_ONCE) {
      const some = [...ids].slice(from, from + AT_ONCE)
      const { data } = cancel
        ? await client.dataSources.cancelIndexing(folder, some)
        : await client.dataSources.index(folder, some)
      files.push(...data.data_sources.map(({ id, title, status }) => ({ id, title, status })))
    }
  session.print({ files }, () => {
    const done = cancel ? 'not indexed any more' : 'being indexed'
    if (files.length > 0) return files.map(({ title }) => `${title}: ${done}`)
    return [cancel ? 'No file waits to be indexed' : 'There is no file']
  })
}

async function choose(client: Docent, path: string, chosen: Map<string, Set<string>>): Promise<void> {
  const place = await findPlace(client, path)
  if (!place) throw notFound(`There is nothing at ${toPath(namesIn(path))}`)
  if (place.kind === 'root') throw usageError('Name a folder or a file: the root is not indexed as a whole')
  const add = (folder: string, id: string) => chosen.set(folder, (chosen.get(folder) ?? new Set()).add(id))
  if (place.kind === 'file') for (const { id } of place.files) add(place.folder.id, id)
  else
    for await (const item of client.dataSources.list(place.folder.id, { recursive: true, page_size: 500 }))
      if (isFile(item)) add(item.knowledge_base_id, item.id)
}
