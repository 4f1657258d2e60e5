import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { join } from '../support/access/people.ts'
import { startTestChat } from '../support/chats/chat.ts'
import { driveOf, UNKNOWN_ID } from '../support/drive/drive.ts'
import { answer } from '../support/models/model-server.ts'
import { shareTestApps } from '../support/test-app.ts'

shareTestApps()

const ADA = 'ada@example.com'

async function start() {
  const app = await startTestChat({
    script: ({ body }) => {
      const last = body.messages.at(-1)
      if (last.role === 'tool') return answer('Done.')
      const [, verb] = /^(make|save)/.exec(last.content) ?? []
      if (verb === 'make')
        return answer({ toolCall: { name: 'create_file', arguments: { name: 'r.txt', content: 'a,b' } } })
      if (verb === 'save')
        return answer({ toolCall: { name: 'remember', arguments: { action: 'save', text: 'Likes plums' } } })
      return answer('Nine.')
    },
  })
  const drive = driveOf(app)
  const people = `/workspaces/${app.owner.workspaceId}/virtual-users`
  const { id } = (await app.succeed('POST', people, { email: ADA, name: 'Ada', metadata: { plan: 'paid' } })).data
  const open = (query = '', person = id) =>
    fetch(`${app.url}/v1${people}/${person}/export${query}`, { headers: { 'x-api-key': app.owner.apiKey } })
  async function unzip(reply: Response) {
    expect(reply.status).toBe(200)
    const files = unzipSync(new Uint8Array(await reply.arrayBuffer()))
    const texts = Object.entries(files).map(([name, bytes]) => [name, Buffer.from(bytes).toString()] as const)
    const texted = Object.fromEntries(texts)
    return {
      names: texts.map(([name]) => name),
      text: (name: string) => texted[name]!,
      json: (name: string) => JSON.parse(texted[name]!),
      lines: (name: string): any[] =>
        texted[name]!.split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line)),
    }
  }
  return { ...app, ...drive, people, id, open, unzip }
}

test('an export holds profile, grants, usage, memories, chats, messages and files of the person, and of nobody else', async () => {
  const app = await start()
  const { succeed, newAgent, newChat, newFolder, upload, addFile, people, id, open, unzip, owner } = app
  const folder = await newFolder('Hers')
  await succeed('PUT', `${people}/${id}/grants`, { knowledge_base_ids: [folder] })
  const agent = await newAgent({ name: 'Maker', tools: ['create_file', 'remember'] })
  const chat = await newChat({ title: 'Plums', metadata: { from: 'shop' } }, agent)
  const ask = (query: string, fields: object) => succeed('POST', `${chat}/query`, { query, ...fields })
  const sent = await upload('The plan of Ada', 'plan.txt')
  const twin = await upload('Another plan', 'plan.txt')
  await ask('When?', { virtual_user_email: ADA, uploaded_files: [sent, twin] })
  await ask('make a file', { virtual_user_email: ADA })
  await ask('save it', { virtual_user_email: ADA })
  await ask('What of Bob?', { virtual_user_email: 'bob@example.com' })
  await addFile(folder)

  const reply = await open()
  expect(reply.headers.get('content-type')).toBe('application/zip')
  expect(reply.headers.get('content-disposition')).toContain('ada@example.com.zip')
  const { names, json, lines, text } = await unzip(reply)
  expect(json('about.json')).toMatchObject({
    format: 'docent-virtual-user',
    version: 1,
    messages: 3,
    messages_left_out: 0,
  })
  expect(json('profile.json')).toMatchObject({ id, email: ADA, name: 'Ada', metadata: { plan: 'paid' } })
  expect(json('grants.json')).toEqual({ knowledge_base_ids: [folder] })
  expect(json('usage.json')).toMatchObject({ messages: 3, chats: 1 })
  expect(lines('memories.jsonl')).toMatchObject([{ text: 'Likes plums', agent_id: agent }])
  expect(lines('chats.jsonl')).toMatchObject([{ title: 'Plums', agent_id: agent, metadata: { from: 'shop' } }])
  const messages = lines('messages.jsonl')
  expect(messages.map(({ query }) => query).sort()).toEqual(['When?', 'make a file', 'save it'])
  const files = messages.flatMap((message) => message.files as string[])
  expect(names.filter((name) => name.startsWith('files/')).sort()).toEqual(files.sort())
  expect(files.map((path) => text(path)).sort()).toEqual(['Another plan', 'The plan of Ada', 'a,b'].sort())
  expect(JSON.stringify(messages)).not.toContain('Bob')

  const path = `/workspaces/${owner.workspaceId}/audit-log?action=virtual_user.exported`
  const [entry] = (await succeed('GET', path)).data.entries
  expect(entry).toMatchObject({ target: { id }, details: { messages: 3 }, ip: expect.any(String) })
})

test('a part of the time can be exported, and pages of messages have no gap', async () => {
  const { ask, open, unzip, succeed, path } = await start()
  for (let count = 0; count < 45; count++) await ask(`Question ${count}`, { virtual_user_email: ADA })
  const whole = await unzip(await open())
  const queries = whole.lines('messages.jsonl').map(({ query }) => query)
  expect(new Set(queries).size).toBe(45)
  const history = (await succeed('GET', `${path}/messages?page=1&page_size=100`)).data.messages
  const times = history.map(({ created_at }: any) => created_at).sort()
  const later = await unzip(await open(`?from=${times[30]}`))
  const earlier = await unzip(await open(`?to=${times[30]}`))
  expect(later.json('about.json').messages + earlier.json('about.json').messages).toBe(45)
  expect(later.lines('messages.jsonl')).toHaveLength(later.json('about.json').messages)
})

test('chats that are private to another member are left out, and counted', async () => {
  const app = await start()
  const { newAgent, open, unzip, ask } = app
  const agent = await newAgent({ name: 'Shared', visibility: 'organization' })
  const bob = await join(app, { email: 'bob@example.com', role: 'member' })
  const chat = (await bob.call('POST', `/agents/${agent}/chats`, {})).body.data.chat.id
  const asked = await bob.call('POST', `/agents/${agent}/chats/${chat}/query`, {
    query: 'In private',
    virtual_user_email: ADA,
  })
  expect(asked.status).toBe(200)
  await ask('In the open', { virtual_user_email: ADA })
  const { json, lines } = await unzip(await open())
  expect(json('about.json')).toMatchObject({ messages: 1, messages_left_out: 1 })
  expect(lines('messages.jsonl').map(({ query }) => query)).toEqual(['In the open'])
})

test('nobody but admins gets one, and none of somebody who is not there', async () => {
  const app = await start()
  const { open, people, id } = app
  expect((await open('', UNKNOWN_ID)).status).toBe(404)
  expect((await open('?from=yesterday')).status).toBe(422)
  const bob = await join(app, { email: 'bob@example.com', role: 'member' })
  expect((await bob.call('GET', `${people}/${id}/export`)).status).toBe(403)
})
