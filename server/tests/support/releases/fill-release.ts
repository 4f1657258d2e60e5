/** Examples of each kind that a later version must still serve, with what this one answered. */
export interface Filled {
  key: string
  memberKey: string
  workspace: string
  folder: string
  file: string
  agent: string
  chat: string
  message: string
  person: string
  /** Answer with its citations, as the chat lists it. */
  answer: { query: string; response: string; citations: { title: string; text: string }[] }
  fileText: string
}

const TEXT = '# Kilns\n\nThe kiln in the yard fires at 1260 degrees, for eleven hours.\n'

/** Fills a server over its API, by requests that every version since the first has. @param key of its owner */
export async function fillRelease(url: string, key: string): Promise<Filled> {
  const call = caller(url, key)
  const me = await call('GET', '/me')
  const workspace = me.workspace.id
  const folder = (await call('POST', '/knowledge-bases', { knowledge_base_name: 'Handbooks' })).id
  const inner = await call('POST', '/knowledge-bases', { knowledge_base_name: 'Kilns', parent_kb_id: folder })
  const upload = new FormData()
  upload.set('file', new File([TEXT], 'kiln.md'))
  const fileId = await call('POST', '/uploaded-files', upload)
  const document = { file_id: fileId, data_source_title: 'kiln.md', metadata: { department: 'pottery' } }
  const added = await call('POST', `/knowledge-bases/${inner.id}/data-sources/documents`, document)
  const file = added._id ?? added.id
  await untilIndexed(() => call('GET', `/knowledge-bases/${inner.id}/data-sources`))
  const agent = (await call('POST', '/agents', { name: 'Potter', knowledge_base_ids: [folder], visibility: 'public' }))
    .id
  await call('POST', `/agents/${agent}/jobs`, { name: 'Check', instructions: 'Check the firing plan.' })
  await call('POST', `/agents/${agent}/links`, { name: 'Website' })
  const person = (
    await call('POST', `/workspaces/${workspace}/virtual-users`, { email: 'ada@example.com', name: 'Ada' })
  ).id
  const { chat } = await call('POST', `/agents/${agent}/chats`, { title: 'The kiln' })
  const query = 'At how many degrees does the kiln fire?'
  const asked = await call('POST', `/agents/${agent}/chats/${chat.id}/query`, {
    query,
    virtual_user_email: 'ada@example.com',
  })
  const made = await call('POST', `/workspaces/${workspace}/api-keys`, {
    name: 'Website',
    role: 'member',
    scopes: { agent_ids: [agent] },
  })
  const answer = await findAnswer(url, key, { agent, chat: chat.id, message: asked.message_id })
  return {
    key,
    memberKey: made.key,
    workspace,
    folder,
    file,
    agent,
    chat: chat.id,
    message: asked.message_id,
    person,
    answer,
    fileText: TEXT,
  }
}

/** The answer as the list of the chat's messages has it, as far as every version tells it. */
export async function findAnswer(
  url: string,
  key: string,
  at: Pick<Filled, 'agent' | 'chat' | 'message'>,
): Promise<Filled['answer']> {
  const { messages } = await caller(url, key)('GET', `/agents/${at.agent}/chats/${at.chat}/messages`)
  const found = messages.find((one: { id: string }) => one.id === at.message)
  return {
    query: found.query,
    response: found.response,
    citations: found.citations.map(({ title, text }: { title: string; text: string }) => ({ title, text })),
  }
}

/** Calls the API and gives the `data` of its answer. */
export const caller =
  (url: string, key: string) =>
  async (method: string, path: string, body?: object): Promise<any> => {
    const isForm = body instanceof FormData
    const response = await fetch(`${url}/v1${path}`, {
      method,
      headers: { 'x-api-key': key, ...(body && !isForm && { 'content-type': 'application/json' }) },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    })
    const answer = (await response.json()) as { data: unknown }
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`)
    return answer.data
  }

async function untilIndexed(list: () => Promise<any>): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const { data_sources: files } = await list()
    if (files.every(({ status }: { status: string }) => status === 'successful')) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('the file was not indexed within a minute')
}
