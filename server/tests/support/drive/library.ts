import { expect, vi } from 'vitest'
import { KEY } from '../processes/restartable.ts'
import { startServerProcess } from '../processes/server-process.ts'
import { formOf } from './drive.ts'

/** A server in a process of its own, and what people do with its folders; each call expects success. */
export async function startLibraryServer(settings: Record<string, string>) {
  const server = await startServerProcess({ DOCENT_OWNER_KEY: KEY, DOCENT_RATE_LIMIT: '0', ...settings })

  async function call(method: string, path: string, body?: unknown): Promise<any> {
    const isForm = body instanceof FormData
    const reply = await fetch(`${server.url}/v1${path}`, {
      method,
      headers: { 'x-api-key': KEY, ...(body !== undefined && !isForm && { 'content-type': 'application/json' }) },
      body: body === undefined ? null : isForm ? body : JSON.stringify(body),
    })
    const read: any = await reply.json()
    expect(reply.status, JSON.stringify(read)).toBe(200)
    return read.data
  }

  const newFolder = async (name: string, parentId?: string): Promise<string> =>
    (await call('POST', '/knowledge-bases', { knowledge_base_name: name, parent_kb_id: parentId })).id

  async function addFile(folderId: string, title: string, content: string, { index = true } = {}): Promise<string> {
    const file_id = await call('POST', '/uploaded-files', formOf(content, title))
    const fields = { file_id, data_source_title: title, trigger_indexing: index }
    return (await call('POST', `/knowledge-bases/${folderId}/data-sources/documents`, fields))._id
  }

  const isIndexed = (folderId: string, id: string) =>
    vi.waitFor(
      async () =>
        expect((await call('GET', `/knowledge-bases/${folderId}/data-sources/${id}`)).status).toBe('successful'),
      { timeout: 30_000, interval: 50 },
    )

  const newAgent = async (folderId: string): Promise<string> =>
    (await call('POST', '/agents', { name: 'Reader', model: 'builtin/extractive', knowledge_base_ids: [folderId] })).id

  async function ask(agentId: string, query: string): Promise<any> {
    const { chat } = await call('POST', `/agents/${agentId}/chats`, {})
    const path = `/agents/${agentId}/chats/${chat.id}`
    const { message_id } = await call('POST', `${path}/query`, { query })
    return call('GET', `${path}/message/${message_id}`)
  }

  /** Names and sizes of what a download holds, to see that all bytes are there. */
  async function download(folderId: string): Promise<Response> {
    return fetch(`${server.url}/v1/knowledge-bases/${folderId}/download`, { headers: { 'x-api-key': KEY } })
  }

  return { ...server, call, newFolder, addFile, isIndexed, newAgent, ask, download }
}
