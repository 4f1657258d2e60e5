import type { DataSource } from '@docent/sdk'
import { docent } from '../../access/access.ts'
import { isTemporary } from '../../platform/errors.ts'
import { withMessages } from '../../platform/language.ts'

/** Ending of the reading of a file. */
export interface Outcome {
  state: 'done' | 'unread'
  reason: string | null
}

/** File whose reading is waited for. */
interface Awaited {
  fileId: string
  isUnpacked: boolean
}

const DONE: Outcome = { state: 'done', reason: null }

/**
 * Outcomes of files that are read no longer, by id; null for those that are gone. An archive goes when its files are
 * there. The newest files of a folder are asked for at once.
 */
export async function findOutcomes(
  folderId: string,
  awaited: readonly Awaited[],
): Promise<Map<string, Outcome | null>> {
  const outcomes = new Map<string, Outcome | null>()
  const left = new Map(awaited.map((file) => [file.fileId, file]))
  try {
    const newest = { order_by: 'created_at', order: 'desc', page_size: 100 } as const
    for (let page = 0; left.size > 0; page++) {
      const { data_sources } = await docent().dataSources.list(folderId, { ...newest, page })
      for (const file of data_sources) {
        if (!('status' in file) || !left.delete(file.id)) continue
        if (file.status === 'successful') outcomes.set(file.id, DONE)
        if (file.status === 'failed') outcomes.set(file.id, { state: 'unread', reason: await explainFailure(file) })
      }
      if (data_sources.length < newest.page_size) break
    }
    for (const { fileId, isUnpacked } of left.values()) outcomes.set(fileId, isUnpacked ? DONE : null)
  } catch (error) {
    // Without the folder there is nothing to wait for; the next poll shows the rest.
    if (!isTemporary(error)) for (const fileId of left.keys()) outcomes.set(fileId, null)
  }
  return outcomes
}

/** Says why a file could not be read; few uploads need the words, which are loaded with the pages of the drive. */
async function explainFailure(file: DataSource): Promise<string | null> {
  try {
    const { failureInWords } = await withMessages('drive', () => import('../drive.pages.ts'))
    return failureInWords(file)
  } catch {
    return file.status_reason
  }
}
