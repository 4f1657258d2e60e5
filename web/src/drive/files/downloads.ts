import type { DataSource, FileVersion, KnowledgeBase } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { docent } from '../../access/access.ts'
import { explain } from '../../platform/errors.ts'
import { dismissToast, toast, updateToast } from '../../ui/overlays/toasts.tsx'
import { toBatches } from '../drive.queries.ts'
import { filesAmong, foldersAmong, type Item } from '../items/items.ts'

/**
 * Downloads one file as it is, several files as ZIP archives of up to a hundred, and each folder as its own archive.
 */
export async function download(items: Item[]): Promise<void> {
  const files = filesAmong(items)
  const folders = foldersAmong(items)
  try {
    if (files.length === 1) await saveFile(files[0]!)
    else
      for (const [folderId, own] of Map.groupBy(files, (file) => file.knowledge_base_id)) await saveFiles(folderId, own)
    for (const folder of folders) await saveFolder(folder)
  } catch (error) {
    toast(t`The download failed. ${explain(error)}`, { isError: true })
  }
}

async function saveFile(file: DataSource): Promise<void> {
  await save(await docent().dataSources.content(file.knowledge_base_id, file.id), file.title)
}

/** Downloads a version of a file. */
export async function saveVersion(file: DataSource, { version, file_name }: FileVersion): Promise<void> {
  try {
    await save(await docent().dataSources.versions.content(file.knowledge_base_id, file.id, version), file_name)
  } catch (error) {
    toast(t`The download failed. ${explain(error)}`, { isError: true })
  }
}

async function saveFiles(folderId: string, files: DataSource[]): Promise<void> {
  const parts = toBatches(files)
  for (const [index, ids] of parts.entries()) {
    const name = parts.length > 1 ? `files (${index + 1} of ${parts.length}).zip` : 'files.zip'
    await save(await docent().dataSources.download(folderId, ids), name)
  }
}

async function saveFolder(folder: KnowledgeBase): Promise<void> {
  await save(await docent().knowledgeBases.download(folder._id), `${folder.name}.zip`)
}

const SHOWS_PROGRESS_FROM = 5_000_000

/** Saves a response under the name that the server gives, or another one. */
async function save(response: Response, otherwise: string): Promise<void> {
  const named = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  const name = named ? decodeURIComponent(named) : otherwise
  const url = URL.createObjectURL(await read(response, name))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has started the download by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** Reads the body of a response, with a progress toast if it takes long. */
async function read(response: Response, name: string): Promise<Blob> {
  const size = Number(response.headers.get('content-length') ?? 0)
  if (!response.body || (size > 0 && size < SHOWS_PROGRESS_FROM)) return response.blob()
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let toastId: number | undefined
  let received = 0
  for await (const piece of response.body as unknown as AsyncIterable<Uint8Array<ArrayBuffer>>) {
    pieces.push(piece)
    received += piece.length
    if (received < SHOWS_PROGRESS_FROM) continue
    toastId ??= toast(t`Downloading “${name}”`, { progress: 0 })
    // The size of an archive is not known in advance.
    const text = t`Downloading “${name}”: ${Math.round(received / 1e6)} MB`
    updateToast(toastId, text, size > 0 ? received / size : 0)
  }
  if (toastId !== undefined) dismissToast(toastId)
  return new Blob(pieces, { type: response.headers.get('content-type') ?? '' })
}
