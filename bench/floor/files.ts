import { open, readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { newId } from './chats.ts'
import { sendData } from './http.ts'
import type { Store } from './store.ts'

/** Uploads of text, indexed by SQLite's own full text search in this process, on this thread. */
export function createFiles(store: Store, folder: string) {
  return {
    /** A multipart body of one part. */
    async upload(body: Buffer, response: ServerResponse): Promise<void> {
      const id = newId()
      const path = join(folder, id)
      const boundary = body.subarray(0, body.indexOf('\r\n'))
      const content = body.subarray(body.indexOf('\r\n\r\n') + 4, body.lastIndexOf(boundary) - 2)
      const file = await open(path, 'w')
      await file.writeFile(content)
      await file.sync()
      await file.close()
      await store.commit(() => store.addFile.run(id, path))
      sendData(response, id)
    },

    async add(folderId: string, body: Buffer, response: ServerResponse): Promise<void> {
      const { file_id, data_source_title } = JSON.parse(body.toString())
      const { path } = store.findFile.get(file_id) as { path: string }
      const passages = (await readFile(path, 'utf8')).split('\n\n')
      await store.commit(() => {
        store.placeFile.run(folderId, data_source_title, file_id)
        for (const passage of passages) store.addPassage.run(passage, data_source_title, folderId)
      })
      sendData(response, { _id: file_id, title: data_source_title, status: 'successful' })
    },

    count(folderId: string, response: ServerResponse): void {
      const { total } = store.countFiles.get(folderId) as { total: number }
      sendData(response, { data_sources: [], data_sources_count: { total, successful: total } })
    },

    search(folderId: string, query: string, response: ServerResponse): void {
      sendData(response, { results: store.search.all(query, folderId) })
    },
  }
}
