import { existsSync, openAsBlob } from 'node:fs'
import { basename, join } from 'node:path'
import { type DataSource, type Docent, DocentError } from '@docent/sdk'
import { forEachAtOnce } from '../drive/transfer.ts'
import { type Collection, fingerprint, type LocalFile } from './local-files.ts'

const HOME = 'Asked from the command line'

export interface FailedFile {
  path: string
  reason: string
}

/** The folder of a collection, below the one that holds all that was asked from the command line; made if need be. */
export async function getFolder(client: Docent, { name }: Collection): Promise<string> {
  return ensureFolder(client, name, await ensureFolder(client, HOME))
}

async function ensureFolder(client: Docent, name: string, parentId?: string): Promise<string> {
  const known = async () => {
    const { org_knowledge_bases: folders } = await client.knowledgeBases.list({ parent_kb_id: parentId })
    return folders.find((folder) => folder.name.toLowerCase() === name.toLowerCase())?._id
  }
  const found = await known()
  if (found) return found
  try {
    return (await client.knowledgeBases.create({ knowledge_base_name: name, parent_kb_id: parentId })).id
  } catch (error) {
    const other = error instanceof DocentError && error.status === 409 ? await known() : undefined
    if (other) return other
    throw error
  }
}

/**
 * Brings the folder up to date: uploads what is new or has other content, and removes what it replaces and what has
 * gone from the disk. What is there already stays as it is.
 * @returns the data source of each local file, and the files that could not be uploaded
 */
export async function synchronize(
  client: Docent,
  folderId: string,
  { files, folder }: Collection,
  onUpload: (done: number, title: string) => void,
): Promise<{ ids: Map<string, LocalFile>; failed: FailedFile[] }> {
  const stored = await storedFiles(client, folderId)
  const ids = new Map<string, LocalFile>()
  const failed: FailedFile[] = []
  const replaced: string[] = stored.filter(({ title }) => !existsSync(join(folder, title))).map(({ id }) => id)
  let done = 0
  await forEachAtOnce(files, async (file) => {
    try {
      const { title, path } = file
      const marked = `${await fingerprint(path)}-${basename(path)}`
      const same = stored.filter((one) => one.title === title)
      const kept = same.find((one) => one.file_name === marked)
      replaced.push(...same.filter((one) => one !== kept).map(({ id }) => id))
      ids.set(kept?.id ?? (await upload(client, folderId, file, marked)), file)
    } catch (error) {
      if (!isAboutTheFile(error)) throw error
      failed.push({ path: file.path, reason: (error as Error).message })
    }
    onUpload(++done, file.title)
  })
  for (let i = 0; i < replaced.length; i += 100) await client.dataSources.delete(folderId, replaced.slice(i, i + 100))
  return { ids, failed }
}

async function upload(client: Docent, folderId: string, { path, title }: LocalFile, name: string): Promise<string> {
  const file_id = await client.files.upload(await openAsBlob(path), { name })
  return (await client.dataSources.add(folderId, { file_id, data_source_title: title }))._id
}

/** Others of the same command may still do: it cannot be read, or the service does not take it. */
const isAboutTheFile = (error: unknown): boolean =>
  error instanceof DocentError ? [400, 413].includes(error.status) : (error as NodeJS.ErrnoException).code !== undefined

async function storedFiles(client: Docent, folderId: string): Promise<DataSource[]> {
  const files: DataSource[] = []
  for (let page = 0; ; page++) {
    const found = await client.dataSources.list(folderId, { page, page_size: 500 })
    for (const item of found.data_sources) if ('status' in item) files.push(item)
    if ((page + 1) * 500 >= found.data_sources_count.total) return files
  }
}
