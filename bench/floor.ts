// The floor: the least code in bare Node that does what the bench asks of Docent and keeps the same promises (an accepted
// query and an uploaded file are on disk). No framework, no checks, no keys. Runs as a process of its own.
//   node bench/floor.ts DATA_FOLDER MODEL_URL
import { mkdirSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { createChats, newId } from './floor/chats.ts'
import { createFiles } from './floor/files.ts'
import { readBody, sendData, serve } from './floor/http.ts'
import { openStore } from './floor/store.ts'

const [folder, modelUrl] = process.argv.slice(2)
if (!folder || !modelUrl) throw new Error('node bench/floor.ts DATA_FOLDER MODEL_URL')
mkdirSync(folder, { recursive: true })
const store = openStore(join(folder, 'floor.sqlite'))
const chats = createChats(store, modelUrl)
const files = createFiles(store, folder)

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [path = '', query = ''] = request.url!.split('?')
  const [, , resource, id = '', part, partId = '', action] = path.split('/')
  const body = await readBody(request)
  if (action === 'query') await chats.query(partId, body, response)
  else if (action === 'messages') chats.history(id, partId, body, response)
  else if (part === 'chats') await chats.create(id, body, response)
  else if (resource === 'uploaded-files') await files.upload(body, response)
  else if (partId === 'documents') await files.add(id, body, response)
  else if (part === 'data-sources') files.count(id, response)
  else if (part === 'search') files.search(id, new URLSearchParams(query).get('query') ?? '', response)
  else sendData(response, { id: newId() })
}

await serve(answer)
