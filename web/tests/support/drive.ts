import { Docent } from '@docent/sdk'
import type { Page } from 'playwright-core'
import type { RunningDocent } from './docent.ts'

/** Sets up the drive through the API. */
export function driveClient({ url, apiKey }: RunningDocent) {
  const docent = new Docent({ baseUrl: url, apiKey })
  return {
    docent,
    newFolder: async (name: string, fields: object = {}) =>
      (await docent.knowledgeBases.create({ knowledge_base_name: name, ...fields })).id,
    /** Adds files by title; waits until they are indexed or have failed. */
    async addFiles(folderId: string, files: Record<string, string | Uint8Array<ArrayBuffer>>): Promise<void> {
      for (const [title, content] of Object.entries(files)) {
        const fileId = await docent.files.upload(new File([content], title))
        await docent.dataSources.add(folderId, { file_id: fileId, data_source_title: title })
      }
      await docent.knowledgeBases.waitUntilIndexed(folderId)
    },
  }
}

/** Drops files of the disk, as a file manager does. */
export const dropFromDisk = (page: Page, files: string[], at = MIDDLE): Promise<void> =>
  drag(page, ['dragEnter', 'dragOver', 'drop'], files, at)

/** Drags files of the disk over the page, and keeps them there. */
export const holdFromDisk = (page: Page, files: string[], at = MIDDLE): Promise<void> =>
  drag(page, ['dragEnter', 'dragOver'], files, at)

const MIDDLE = { x: 800, y: 600 }

async function drag(page: Page, types: ('dragEnter' | 'dragOver' | 'drop')[], files: string[], at: typeof MIDDLE) {
  const session = await page.context().newCDPSession(page)
  const data = { items: [], files, dragOperationsMask: 1 }
  for (const type of types) await session.send('Input.dispatchDragEvent', { type, ...at, data })
}

/** Text painted as the passage. */
export const markedText = (page: Page): Promise<string> =>
  page.evaluate(() =>
    [...(CSS.highlights.get('passage') ?? [])].map((range) => (range as Range).cloneContents().textContent).join(''),
  )
