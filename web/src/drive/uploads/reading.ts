import type { DataSource } from '@docent/sdk'
import { docent } from '../../access/access.ts'
import { isTemporary } from '../../platform/errors.ts'
import { withMessages } from '../../platform/language.ts'

/** Ending of the reading of a file. */
export interface Outcome {
  state: 'done' | 'unread'
  reason: string | null
}

/**
 * Outcomes of files that are read no longer, by id; those that are gone count as done. The newest files of a folder
 * are asked for at once.
 */
export async function findOutcomes(folderId: string, fileIds: ReadonlySet<string>): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>()
  try {
    const newest = { order_by: 'created_at', order: 'desc', page_size: 100 } as const
    for (let page = 0, left = fileIds.size; left > 0; page++) {
      const { data_sources } = await docent().dataSources.list(folderId, { ...newest, page })
      for (const file of data_sources) {
        if (!('status' in file) || !fileIds.has(file.id)) continue
        left--
        if (file.status === 'successful') outcomes.set(file.id, { state: 'done', reason: null })
        if (file.status === 'failed') outcomes.set(file.id, { state: 'unread', reason: await explainFailure(file) })
      }
      if (data_sources.length < newest.page_size) return outcomes
    }
  } catch (error) {
    // Without the folder there is nothing to wait for; the next poll shows the rest.
    if (!isTemporary(error)) for (const id of fileIds) outcomes.set(id, { state: 'done', reason: null })
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
