import { expect, test } from 'vitest'
import { startTestApp } from '../../../server/tests/support/test-app.ts'
import { Docent } from '../index.ts'

async function startClient() {
  const { url, owner } = await startTestApp()
  const requests: string[] = []
  const counted: typeof fetch = (input, init) => {
    requests.push(String(input).slice(url.length))
    return fetch(input, init)
  }
  return { requests, docent: new Docent({ baseUrl: url, apiKey: owner.apiKey, fetch: counted }) }
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

const NAMES = ['One', 'Two', 'Three', 'Four', 'Five']

test('a list gives one page when it is awaited, and the items of all pages in a loop', async () => {
  const { docent, requests } = await startClient()
  for (const name of NAMES) await docent.agents.create({ name })
  const page = await docent.agents.list({ page_size: 2 })
  expect(page).toMatchObject({ total: 5, page: 1, page_size: 2, has_more: true })
  expect(page.agents).toHaveLength(2)

  requests.length = 0
  const names: string[] = []
  for await (const agent of docent.agents.list({ page_size: 2 })) names.push(agent.name)
  expect(names).toEqual(NAMES.toReversed())
  expect(requests).toEqual(['page_size=2', 'page_size=2&page=2', 'page_size=2&page=3'].map((q) => `/v1/agents?${q}`))
})

test('a loop that is left asks for no more pages, and one may begin later or go by pages', async () => {
  const { docent, requests } = await startClient()
  for (const name of NAMES) await docent.agents.create({ name })
  requests.length = 0
  for await (const { name } of docent.agents.list({ page_size: 2 })) if (name === 'Five') break
  expect(requests).toHaveLength(1)
  const rest = await collect(docent.agents.list({ page: 2, page_size: 2 }))
  expect(rest.map(({ name }) => name)).toEqual(['Three', 'Two', 'One'])
  const pages = await collect(docent.agents.list({ page_size: 4 }).pages())
  expect(pages.map(({ agents }) => agents.length)).toEqual([4, 1])
})

test('an item that moves to the next page meanwhile comes once', async () => {
  const { docent } = await startClient()
  for (const name of NAMES) await docent.agents.create({ name })
  const names: string[] = []
  for await (const { name } of docent.agents.list({ page_size: 2 })) {
    if (names.length === 0) await docent.agents.create({ name: 'Six' })
    names.push(name)
  }
  expect(names).toEqual(NAMES.toReversed())
})

test('lists whose pages count from 0, and lists in one piece, are gone through alike', async () => {
  const { docent } = await startClient()
  const { workspace } = await docent.me()
  for (const name of NAMES) await docent.virtualUsers.create(workspace.id, { email: `${name}@example.com` })
  expect(await collect(docent.virtualUsers.list(workspace.id, { page_size: 2 }))).toHaveLength(5)

  const folder = await docent.knowledgeBases.create({ knowledge_base_name: 'Folder' })
  await docent.knowledgeBases.create({ knowledge_base_name: 'Below', parent_kb_id: folder.id })
  for (const name of NAMES) {
    const file_id = await docent.files.upload(new Blob([name]), { name: `${name}.txt` })
    await docent.dataSources.add(folder.id, { file_id, data_source_title: `${name}.txt` })
  }
  const files = await collect(docent.dataSources.list(folder.id, { page_size: 2 }))
  expect(files.map((file) => ('title' in file ? file.title : file.name)).sort()).toEqual(
    NAMES.map((name) => `${name}.txt`).sort(),
  )
  const all = await collect(docent.dataSources.list(folder.id, { page_size: 2, recursive: true }))
  expect(all.map((file) => ('title' in file ? file.title : file.name)).sort()).toEqual(
    ['Below', ...NAMES.map((name) => `${name}.txt`)].sort(),
  )
  expect(await collect(docent.knowledgeBases.list())).toMatchObject([{ _id: folder.id }])
  expect(await collect(docent.integrations.list())).toEqual([])
})

test('a list that fails, fails in the loop', async () => {
  const { docent } = await startClient()
  const lost = docent.chats.list('0'.repeat(24))
  await expect(collect(lost)).rejects.toMatchObject({ code: 'AGENT_NOT_FOUND' })
})
