import { type Api, api, dataOf } from './api.ts'
import { target } from './target.ts'
import { unique } from './values.ts'

export const makeFolder = async (fields: object = {}, by: Api = api): Promise<any> =>
  dataOf(await by.post('/knowledge-bases', { knowledge_base_name: unique('folder'), ...fields }))

/** Uploads text or bytes and gives the file id. */
export async function upload(
  content: string | Uint8Array = 'hello',
  name = 'note.txt',
  by: Api = api,
): Promise<string> {
  const form = new FormData()
  form.set('file', new Blob([content as string]), name)
  return dataOf(await by.post('/uploaded-files', form))
}

/** A file in a folder; it waits to be indexed unless `fields` asks for it. */
export const makeFile = async (folderId: string, fields: object = {}, content = 'hello', by: Api = api): Promise<any> =>
  dataOf(
    await by.post(`/knowledge-bases/${folderId}/data-sources/documents`, {
      file_id: await upload(content, 'note.txt', by),
      data_source_title: unique('file'),
      trigger_indexing: false,
      ...fields,
    }),
  )

/** An agent on the scripted model if there is one, else on the one that every server has. */
export const makeAgent = async (fields: object = {}, by: Api = api): Promise<any> =>
  dataOf(await by.post('/agents', { name: unique('agent'), model: target.model ?? 'builtin/extractive', ...fields }))

export const makeChat = async (agentId: string, fields: object = {}, by: Api = api): Promise<any> =>
  dataOf(await by.post(`/agents/${agentId}/chats`, fields)).chat

/** A chat of its own, with the paths of what is in it. */
export async function newConversation(agentFields: object = {}, by: Api = api) {
  const agent = await makeAgent(agentFields, by)
  return conversationWith(agent, by)
}

export async function conversationWith(agent: any, by: Api = api) {
  const chat = await makeChat(agent.id, {}, by)
  const path = `/agents/${agent.id}/chats/${chat.id}`
  return {
    agent,
    chat,
    path,
    ask: (query: string, fields: object = {}) => by.post(`${path}/query`, { query, ...fields }),
    /** @returns {text, message_id} */
    answer: async (query: string, fields: object = {}) => dataOf(await by.post(`${path}/query`, { query, ...fields })),
    message: async (id: string, query = '') => dataOf(await by.get(`${path}/message/${id}${query}`)),
  }
}

let me: Promise<any> | undefined
/** `GET /me` of the key under test. */
export const whoAmI = (): Promise<any> => (me ??= api.get('/me').then(dataOf))

/** A key of the same workspace with these fields, and an API that uses it. */
export async function makeKey(fields: object): Promise<any> {
  const { workspace } = await whoAmI()
  return dataOf(await api.post(`/workspaces/${workspace.id}/api-keys`, { name: unique('key'), ...fields }))
}
