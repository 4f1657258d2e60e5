import { type IncomingMessage, request } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { BenchServer } from './server.ts'

/** Requests to a server that is measured; bodies are never held as a whole on this side. */
export function createClient({ url, key }: Pick<BenchServer, 'url' | 'key'>) {
  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const headers = { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) }
    const reply = await fetch(`${url}/v1${path}`, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    })
    const text = await reply.text()
    if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status} ${text.slice(0, 300)}`)
    return (JSON.parse(text) as { data: T }).data
  }

  async function upload(name: string, content: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<string> {
    const head = `--XX\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n`
    const headers = { 'x-api-key': key, 'content-type': 'multipart/form-data; boundary=XX' }
    const sending = request(`${url}/v1/uploaded-files`, { method: 'POST', headers })
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      sending.on('response', resolve).on('error', reject)
    })
    async function* body() {
      yield Buffer.from(head)
      yield* content
      yield Buffer.from('\r\n--XX--\r\n')
    }
    await pipeline(Readable.from(body(), { objectMode: false }), sending)
    const reply = await answered
    const text = Buffer.concat(await reply.toArray()).toString()
    if (reply.statusCode !== 200) throw new Error(`upload: ${reply.statusCode} ${text.slice(0, 300)}`)
    return (JSON.parse(text) as { data: string }).data
  }

  return {
    call,
    upload,
    addFolder: async (name: string) =>
      (await call<{ id: string }>('POST', '/knowledge-bases', { knowledge_base_name: name })).id,
    async addFile(folder: string, fileId: string, title: string): Promise<string> {
      const path = `/knowledge-bases/${folder}/data-sources/documents`
      return (await call<{ _id: string }>('POST', path, { file_id: fileId, data_source_title: title }))._id
    },
  }
}
