import type { DataSource } from '@docent/sdk'
import type { Command } from 'commander'
import { notFound } from '../failures.ts'
import { openSession } from '../session.ts'
import { inColumns, sizeOf } from '../terminal/table.ts'
import { findPlace, listFiles, listFolders, namesIn, type RemoteFolder, toPath } from './remote-drive.ts'

/** Adds `docent ls`. */
export const addList = (program: Command) =>
  program
    .command('ls')
    .description('list folders and files')
    .argument('[path]', 'folder or file, for instance drive:/Handbooks or /Handbooks', '/')
    .action(async (path: string, _options: object, command: Command) => list(path, command))

async function list(path: string, command: Command): Promise<void> {
  const session = await openSession(command)
  const { client } = session
  const place = await findPlace(client, path)
  if (!place) throw notFound(`There is nothing at ${toPath(namesIn(path))}`)
  const folders = place.kind === 'file' ? [] : await listFolders(client, idOf(place))
  const files =
    place.kind === 'file' ? place.files : place.kind === 'folder' ? await listFiles(client, place.folder.id) : []
  files.sort((a, b) => a.title.localeCompare(b.title))
  session.print({ path: toPath(namesIn(path)), folders: folders.map(toItem), files }, () =>
    inColumns([...folders.map(folderRow), ...files.map(fileRow)]),
  )
}

const idOf = (place: { kind: string; folder?: RemoteFolder }) => place.folder?.id

const toItem = ({ id, name, parentId, createdAt }: RemoteFolder) => ({
  id,
  name,
  parent_kb_id: parentId,
  created_at: createdAt,
})

const folderRow = ({ name, createdAt }: RemoteFolder) => ['folder', '', createdAt.slice(0, 10), `${name}/`]

const fileRow = ({ status, size_bytes, updated_at, title }: DataSource) => [
  status === 'successful' ? 'file' : status,
  sizeOf(size_bytes),
  updated_at.slice(0, 10),
  title,
]
