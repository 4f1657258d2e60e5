import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { AddedDataSource, DataSource, Docent } from '@docent/sdk'

const AT_ONCE = 4
/** Reason why an empty file is left alone, after its path. */
export const NO_EMPTY_FILES = 'is empty: the drive takes no empty files'

/** Does something for each item, a few at once. @throws the first failure, once what was begun has ended */
export async function forEachAtOnce<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items]
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item)
  }
  const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, worker))
  const failed = ends.find((end) => end.status === 'rejected')
  if (failed) throw failed.reason
}

/** Uploads a file into a folder under a title. The first file that `replaced` names gets the content, others go. */
export async function uploadFile(
  client: Docent,
  path: string,
  {
    folderId,
    title,
    replaced = [],
    isUnpacked = false,
  }: { folderId: string; title: string; replaced?: string[]; isUnpacked?: boolean },
): Promise<AddedDataSource | Pick<AddedDataSource, '_id' | 'status'>> {
  const fileId = await client.files.upload(path, { name: title })
  // An archive that becomes a folder is no version of a file.
  const [kept, ...others] = isUnpacked ? [] : replaced
  const added = kept
    ? await client.dataSources.replaceContent(folderId, kept, fileId)
    : await client.dataSources.add(folderId, { file_id: fileId, data_source_title: title, unpack: isUnpacked })
  // Afterwards, so that a failure on the way loses nothing.
  const gone = isUnpacked ? replaced : others
  if (gone.length > 0) await client.dataSources.delete(folderId, gone)
  return added
}

/** Downloads a file; one that is there is replaced once the new one is whole. */
export async function downloadFile(client: Docent, file: DataSource, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const draft = `${path}.docent-${process.pid}`
  try {
    await pipeline(await openContent(client, file), createWriteStream(draft))
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

export async function openContent(client: Docent, { knowledge_base_id, id }: DataSource): Promise<Readable> {
  const response = await client.dataSources.content(knowledge_base_id, id)
  return response.body ? Readable.fromWeb(response.body as import('node:stream/web').ReadableStream) : Readable.from([])
}
