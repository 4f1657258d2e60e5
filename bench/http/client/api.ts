import { OWNER_KEY } from '../servers.ts'
import { createAnswerReader } from './answer-reader.ts'
import { Connection, type OnBody, type Response } from './connection.ts'

/** The part of Docent's API that the bench uses. The floor speaks it, too. */
export type Api = ReturnType<typeof createApi>

export interface Chat {
  agentId: string
  id: string
}

interface Listing {
  data_sources_count: { total: number; successful: number }
}

/** Checks every answer: anything but what was asked for is an error. @param key whose requests they are */
export function createApi(url: string, key = OWNER_KEY) {
  const base = new URL(url)
  const free: Connection[] = []
  const open = new Set<Connection>()

  async function send(method: string, path: string, body: string, type: string, onBody?: OnBody): Promise<Response> {
    const connection = free.pop() ?? new Connection(base)
    open.add(connection)
    const content = body && `content-type: ${type}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`
    const head = `${method} /v1${path} HTTP/1.1\r\nhost: ${base.host}\r\nx-api-key: ${key}\r\n${content}\r\n`
    const response = await connection.send(head + body, onBody)
    if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${response.body}`)
    free.push(connection)
    return response
  }

  async function json<T>(method: string, path: string, body?: object): Promise<{ data: T; ms: number }> {
    const response = await send(method, path, body ? JSON.stringify(body) : '', 'application/json')
    return { data: JSON.parse(response.body).data as T, ms: response.ms }
  }

  const chatPath = ({ agentId, id }: Chat) => `/agents/${agentId}/chats/${id}`

  return {
    /** Any request without a body. @returns its `data`, and how long it took. */
    get: <T>(path: string) => json<T>('GET', path),

    /** Any request with JSON both ways. @returns its `data`, and how long it took. */
    json,

    /** Reads any answer to its end and keeps nothing of it. @returns how long it took. */
    drain: (path: string): Promise<{ ms: number }> => send('GET', path, '', '', () => {}),

    /** An agent without folders: unless `fields` say otherwise, it has no tools. */
    async createAgent(fields: object = {}): Promise<string> {
      const agent = { name: 'Bench', model: 'openai-compatible/scripted', ...fields }
      return (await json<{ id: string }>('POST', '/agents', agent)).data.id
    },

    async createChats(agentId: string, count: number): Promise<Chat[]> {
      const create = () => json<{ chat: { id: string } }>('POST', `/agents/${agentId}/chats`, { title: 'Bench' })
      const chats: Chat[] = []
      for (let at = 0; at < count; at++) chats.push({ agentId, id: (await create()).data.chat.id })
      return chats
    },

    /** A blocking query. @returns the answer, and how long it took. */
    async ask(chat: Chat, query: string): Promise<{ text: string; ms: number }> {
      const { data, ms } = await json<{ text: string }>('POST', `${chatPath(chat)}/query`, { query })
      return { text: data.text, ms }
    },

    /** A streamed query. @returns how long it took. */
    async stream(chat: Chat, query: string, onText: (text: string) => void): Promise<{ ms: number }> {
      const reader = createAnswerReader(onText)
      const body = JSON.stringify({ query, is_stream: true })
      const response = await send('POST', `${chatPath(chat)}/query`, body, 'application/json', reader.read)
      reader.finish()
      return response
    },

    /** One page of the history, counted from 1. @returns how many messages came. */
    async history(chat: Chat, page: number, page_size: number): Promise<{ count: number; ms: number }> {
      const path = `${chatPath(chat)}/messages`
      const { data, ms } = await json<{ messages: unknown[] }>('GET', path, { page, page_size })
      return { count: data.messages.length, ms }
    },

    async createFolder(name: string, parentId?: string): Promise<string> {
      const body = { knowledge_base_name: name, parent_kb_id: parentId }
      return (await json<{ id: string }>('POST', '/knowledge-bases', body)).data.id
    },

    /** Uploads a text file and adds it to a folder, which is when its indexing begins. */
    async addFile(folder: string, title: string, text: string): Promise<void> {
      const boundary = 'the-end-of-a-part'
      const part = `content-disposition: form-data; name="file"; filename="${title}"\r\ncontent-type: text/plain`
      const form = `--${boundary}\r\n${part}\r\n\r\n${text}\r\n--${boundary}--\r\n`
      const uploaded = await send('POST', '/uploaded-files', form, `multipart/form-data; boundary=${boundary}`)
      const { data: file_id } = JSON.parse(uploaded.body) as { data: string }
      const path = `/knowledge-bases/${folder}/data-sources/documents`
      await json('POST', path, { file_id, data_source_title: title })
    },

    async countFiles(folder: string): Promise<{ total: number; successful: number }> {
      const { data } = await json<Listing>('GET', `/knowledge-bases/${folder}/data-sources?page_size=1`)
      return data.data_sources_count
    },

    /** @returns the titles of the files in which passages were found, best first. */
    async search(folder: string, query: string): Promise<string[]> {
      const path = `/knowledge-bases/${folder}/search?query=${encodeURIComponent(query)}`
      return (await json<{ results: { title: string }[] }>('GET', path)).data.results.map(({ title }) => title)
    },

    /** Opens connections ahead, for loads in which the time of the first requests counts. */
    async connect(count: number): Promise<void> {
      while (free.length < count) {
        const connection = new Connection(base)
        await connection.open()
        open.add(connection)
        free.push(connection)
      }
    },

    close(): void {
      for (const connection of open) connection.close()
    },
  }
}
