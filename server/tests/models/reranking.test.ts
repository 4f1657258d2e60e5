import { expect, onTestFinished, test } from 'vitest'
import { driveOf } from '../support/drive/drive.ts'
import { everyRow } from '../support/every-row.ts'
import { type Reply, type Script, startModelServer } from '../support/models/model-server.ts'
import { shareTestApps, startTestApp } from '../support/test-app.ts'

shareTestApps()

// Texts of different lengths, so that each scores differently.
const VALVES = ['brass', 'copper', 'steel'].map((metal, at) => [
  `${metal}.txt`,
  `The ${metal} valve opens by itself at forty degrees.${' It is cleaned with warm water.'.repeat(at)}`,
])

/** Body of a request, in both forms. */
interface Asked {
  model?: string
  query: string
  documents?: string[]
  texts?: string[]
  top_n?: number
  truncate?: boolean
}

/** The latest text first, in the form that was asked for. */
const backwards: Script = ({ body }) => {
  const { documents, texts = [] } = body as Asked
  if (documents) return ok({ results: documents.map((_, index) => ({ index, relevance_score: index / 10 })).reverse() })
  return ok(texts.map((_, index) => ({ index, score: index / 10 })))
}

const ok = (body: unknown): Reply => ({ status: 200, body })

/** A server with a folder of valves, and a reranker that answers by a script. */
async function start(script: Script, settings: Record<string, string> = {}) {
  const reranker = await startModelServer({ script })
  onTestFinished(() => reranker.close())
  const log: string[] = []
  const app = await startTestApp(
    { DOCENT_RERANK_URL: `${reranker.url}/rerank`, LOG_LEVEL: 'warn', ...settings },
    { logTo: (line) => log.push(line) },
  )
  const drive = driveOf(app)
  const folder = await drive.newFolder('Valves')
  const add = async (title: string, content: string, where = folder) => {
    const id = await drive.addFile(where, { title, content, index: true })
    const read = async () => (await drive.succeed('GET', `/knowledge-bases/${where}/data-sources/${id}`)).data.status
    await expect.poll(read, { timeout: 30_000 }).toBe('successful')
    return id
  }
  for (const [title, content] of VALVES) await add(title!, content!)
  const search = async (more = '', query = 'When does the valve open?') =>
    (await drive.succeed('GET', `/knowledge-bases/${folder}/search?query=${encodeURIComponent(query)}${more}`)).data
      .results as any[]
  const outcomes = async () => {
    const text = await fetch(`${app.url}/metrics`).then((reply) => reply.text())
    const lines = text.matchAll(/^docent_rerankings_total\{outcome="(.*?)"\} (\d+)$/gm)
    return Object.fromEntries([...lines].map(([, outcome, count]) => [outcome, Number(count)]))
  }
  return { ...app, ...drive, reranker, log, folder, add, search, outcomes }
}

const titles = (results: { title: string }[]) => results.map(({ title }) => title)

test.each([
  ['a named model is asked as Cohere and Jina have it', { DOCENT_RERANK_MODEL: 'rerank-v3.5' }],
  ['without a name the server is asked as Text Embeddings Inference has it', {}],
])('%s, and its order is that of the search', async (_, settings: Record<string, string>) => {
  const { search, reranker, outcomes } = await start(backwards, {
    DOCENT_RERANK_API_KEY: 'a-key-of-the-reranker',
    ...settings,
  })
  const results = await search('&explain=true')
  const { path, headers, body } = reranker.requests.at(-1)!
  expect([path, headers.authorization]).toEqual(['/rerank', 'Bearer a-key-of-the-reranker'])
  const { documents, texts, ...asked } = body as Asked
  expect(asked).toEqual(
    settings.DOCENT_RERANK_MODEL
      ? { model: 'rerank-v3.5', query: 'When does the valve open?', top_n: 3 }
      : { query: 'When does the valve open?', truncate: true },
  )
  const sent = (documents ?? texts)!
  expect(sent).toEqual(expect.arrayContaining(VALVES.map(([title, text]) => `${title}\n${text}`)))
  expect(results.map(({ title, text }) => `${title}\n${text}`)).toEqual(sent.toReversed())
  expect(results.map(({ explanation }) => explanation.reranker)).toEqual([
    { rank: 1, score: 0.2 },
    { rank: 2, score: 0.1 },
    { rank: 3, score: 0 },
  ])
  expect(results.map(({ explanation }) => explanation.ranks.reranked)).toEqual([3, 2, 1])
  const scores = results.map(({ score }) => score)
  expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  expect(await outcomes()).toEqual({ ok: 1 })
})

test('an answer that cannot be used leaves the order, is counted, and is logged without what was asked', async () => {
  const state: { reply: Reply } = { reply: { status: 500 } }
  const { search, log, outcomes, reranker } = await start(() => state.reply, {
    DOCENT_RERANK_MODEL: 'm',
    DOCENT_RERANK_TIMEOUT: '0.3',
  })
  const scored = (...pairs: [index: unknown, score: unknown][]) =>
    ok({ results: pairs.map(([index, relevance_score]) => ({ index, relevance_score })) })
  state.reply = scored([0, 1], [1, 1], [2, 1])
  const usual = titles(await search())
  await everyRow<[string, Reply, string]>(
    [
      ['an index that is too high', scored([0, 1], [1, 2], [3, 3]), 'unreadable'],
      ['a negative index', scored([0, 1], [1, 2], [-1, 3]), 'unreadable'],
      ['an index that is none', scored([0, 1], [1, 2], ['2', 3]), 'unreadable'],
      ['an index twice', scored([0, 1], [2, 2], [2, 3]), 'unreadable'],
      ['too few results', scored([1, 2], [2, 3]), 'unreadable'],
      ['too many results', scored([0, 1], [1, 2], [2, 3], [2, 3]), 'unreadable'],
      ['a score that is none', scored([0, 1], [1, 2], [2, null]), 'unreadable'],
      ['a result that is none', ok({ results: [null, null, null] }), 'unreadable'],
      ['the other form', ok([0, 1, 2].map((index) => ({ index, score: index }))), 'unreadable'],
      ['no JSON', { bytes: ['<html>'], contentType: 'text/html' }, 'unreadable'],
      ['an error', { status: 500, body: { message: 'When does the valve open?' } }, 'provider'],
      ['a refusal', { status: 401, body: { message: 'no such key' } }, 'key'],
      ['a wait that is too long', { status: 429, headers: { 'retry-after': '60' } }, 'rate-limited'],
      ['silence', { silence: true }, 'timeout'],
      ['a closed connection', { drop: true }, 'unreachable'],
    ],
    async (_, reply, outcome) => {
      state.reply = scored([0, 1], [1, 2], [2, 3])
      expect(titles(await search())).toEqual(usual.toReversed())
      state.reply = reply
      const before = await outcomes()
      const results = await search('&explain=true')
      expect(titles(results)).toEqual(usual)
      expect(results[0].explanation.reranker).toBeNull()
      expect(await outcomes()).toEqual({ ...before, [outcome]: (before[outcome] ?? 0) + 1 })
    },
  )
  expect(log.filter((line) => line.includes('a model failed'))).toHaveLength(15)
  expect(log.join('\n')).not.toContain('forty degrees')
  expect(reranker.requests.length).toBeGreaterThan(30)
}, 60_000)

test('a reranker that keeps failing is left alone for a while, so that searches do not wait for it', async () => {
  const { search, outcomes, reranker } = await start(() => ({ silence: true }), { DOCENT_RERANK_TIMEOUT: '0.1' })
  for (let at = 0; at < 5; at++) expect(await search()).toHaveLength(3)
  expect(await outcomes()).toEqual({ timeout: 3, resting: 2 })
  expect(reranker.requests).toHaveLength(3)
})

test('it orders the best passages alone, as many as the setting says, also where fewer are asked for', async () => {
  const { search, reranker } = await start(backwards, { DOCENT_RERANK_DEPTH: '2' })
  const [first, second, third] = await search('&explain=true')
  expect(first.explanation.ranks.reranked).toBe(2)
  expect(second.explanation.ranks.reranked).toBe(1)
  expect([third.explanation.ranks.reranked, third.explanation.reranker]).toEqual([3, null])
  expect((await search('&limit=1'))[0]).toMatchObject({ title: first.title })
  expect(reranker.requests.map(({ body }) => body.texts.length)).toEqual([2, 2])
})

test('it is sent nothing that the caller may not read, and nothing that is gone', async () => {
  const { search, reranker, folder, add, newFolder, succeed } = await start(backwards)
  await add('secret.txt', 'The secret valve opens at forty degrees, too.', await newFolder('Elsewhere'))
  const gone = await add('gone.txt', 'The old valve opened by itself at forty degrees.')
  expect(await search()).toHaveLength(4)
  await succeed('DELETE', `/knowledge-bases/${folder}/data-sources?data_source_id=${gone}`)
  await search()
  const [before, after] = reranker.requests.map(({ body }) => body.texts.join('\n'))
  expect(before).toContain('old valve')
  expect(after).not.toContain('old valve')
  expect(before).not.toContain('secret')
})

test('a workspace chooses a reranker of its own, or none, and each search goes to the one that was chosen', async () => {
  const own = await startModelServer({
    script: ({ body }) =>
      ok({ results: body.documents.map((text: string, index: number) => ({ index, relevance_score: text.length })) }),
  })
  onTestFinished(() => own.close())
  const { search, reranker, call, succeed, owner } = await start(backwards, {
    DOCENT_OUTBOUND_ALLOW: new URL(own.url).host,
    DOCENT_RERANK_MODEL: 'of-the-server',
  })
  const base = `/workspaces/${owner.workspaceId}`
  const provider = { kind: 'openai-compatible', base_url: own.openaiUrl, api_key: 'a-key-of-the-workspace' }
  await succeed('PUT', `${base}/model-providers/acme`, provider)
  const usual = titles(await search())
  expect((await succeed('GET', `${base}/model-defaults`)).data).toMatchObject({
    reranking: null,
    server: { reranking: 'of-the-server' },
  })
  const test = (model: string) => call('POST', `${base}/model-defaults/reranking/test`, { model })
  expect((await test('acme/orders')).body.data).toMatchObject({ is_ok: true, error_message: null })

  await succeed('PUT', `${base}/model-defaults`, { reranking: 'acme/orders' })
  expect(titles(await search())).toEqual(['steel.txt', 'copper.txt', 'brass.txt'])
  const asked = own.requests.at(-1)!
  expect([asked.path, asked.body.model]).toEqual(['/v1/rerank', 'orders'])
  expect(asked.headers.authorization).toBe('Bearer a-key-of-the-workspace')
  expect(reranker.requests).toHaveLength(1)
  expect(await call('DELETE', `${base}/model-providers/acme`)).toMatchObject({ status: 409 })

  await succeed('PUT', `${base}/model-defaults`, { reranking: 'none' })
  const [first] = await search('&explain=true')
  expect(first.explanation.reranker).toBeNull()
  expect([own.requests.length, reranker.requests.length]).toEqual([2, 1])
  await succeed('PUT', `${base}/model-defaults`, {})
  expect(titles(await search())).toEqual(usual)
  expect([own.requests.length, reranker.requests.length]).toEqual([2, 2])
})

test('a reranker that cannot be used is not chosen, and its test says why', async () => {
  const own = await startModelServer({ script: () => ok({ results: [] }) })
  onTestFinished(() => own.close())
  const { call, succeed, owner } = await start(backwards, { DOCENT_OUTBOUND_ALLOW: new URL(own.url).host })
  const base = `/workspaces/${owner.workspaceId}`
  await succeed('PUT', `${base}/model-providers/anthropic`, { kind: 'anthropic', api_key: 'sk-ant-a1b2' })
  await succeed('PUT', `${base}/model-providers/acme`, { kind: 'openai-compatible', base_url: own.openaiUrl })
  const choose = (reranking: string) => call('PUT', `${base}/model-defaults`, { reranking })
  const test = (model: string) => call('POST', `${base}/model-defaults/reranking/test`, { model })
  await everyRow(
    [
      ['anthropic/claude', 'Anthropic has no rerankers'],
      ['builtin/extractive', 'Built in has no rerankers'],
      ['nowhere/small', 'There is no model provider "nowhere"'],
      ['local/nothing-there', 'holds no reranker: config.json, tokenizer.json and onnx/model.onnx are expected'],
      ['local/../../etc', 'A model on disk is named by its folder in'],
    ],
    async (model, words) => {
      const message = expect.stringContaining(words)
      expect(await choose(model)).toMatchObject({ status: 400, body: { message } })
      expect((await test(model)).body.data).toMatchObject({ is_ok: false, error_message: message })
    },
  )
  expect(await choose('small')).toMatchObject({ status: 400 })
  const { data } = (await test('acme/small')).body
  expect(data).toMatchObject({ is_ok: false, error_message: expect.stringContaining('another number of scores') })
  const { key } = (await succeed('POST', `${base}/api-keys`, { name: 'Ann', role: 'member' })).data
  const asMember = await call('POST', `${base}/model-defaults/reranking/test`, { model: 'acme/small' }, { key })
  expect(asMember.status).toBe(403)
})

test('agents answer from its order, and searches in the form of OpenAI have it', async () => {
  const { search, folder, succeed, reranker, url, owner } = await start(({ body }) =>
    ok((body as Asked).texts!.map((text, index) => ({ index, score: text.includes('steel') ? 1 : 0 }))),
  )
  expect((await search())[0].title).toBe('steel.txt')
  const found = await fetch(`${url}/openai/v1/vector_stores/${folder}/search`, {
    method: 'POST',
    headers: { authorization: `Bearer ${owner.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: 'When does the valve open?' }),
  }).then((reply) => reply.json() as any)
  expect(found.data[0].filename).toBe('steel.txt')
  const fields = { name: 'Reader', model: 'builtin/extractive', knowledge_base_ids: [folder] }
  const agent = (await succeed('POST', '/agents', fields)).data.id
  const { chat } = (await succeed('POST', `/agents/${agent}/chats`, {})).data
  const path = `/agents/${agent}/chats/${chat.id}`
  const before = reranker.requests.length
  const { data } = await succeed('POST', `${path}/query`, { query: 'At how many degrees does the valve open?' })
  const message = (await succeed('GET', `${path}/message/${data.message_id}`)).data
  expect(message.citations[0].title).toBe('steel.txt')
  expect(reranker.requests.length).toBe(before + 1)
})

test('an agent whose best passages are copies has the rest of them read by the reranker, in one request', async () => {
  const { reranker, add, folder, succeed, call } = await start(backwards, { DOCENT_RERANK_DEPTH: '4' })
  const words =
    'The brass valve opens by itself at forty degrees, and it is cleaned with warm water on each first Monday'
  for (let at = 0; at < 12; at++) await add(`copy ${at}.txt`, `${words} of the month, so when it opens it is clean.`)
  const fields = { name: 'Guide', model: 'builtin/extractive', knowledge_base_ids: [folder] }
  const agent = (await succeed('POST', '/agents', fields)).data.id
  const { chat } = (await succeed('POST', `/agents/${agent}/chats`, {})).data
  const before = reranker.requests.length
  const { status } = await call('POST', `/agents/${agent}/chats/${chat.id}/query`, {
    query: 'When does the valve open?',
  })
  expect(status).toBe(200)
  const asked = reranker.requests.slice(before).map(({ body }) => body.texts as string[])
  expect(asked).toHaveLength(1)
  // Each text once: twelve copies are one of the four.
  expect(asked[0]!.filter((text) => text.includes('first Monday'))).toHaveLength(1)
  expect(asked[0]!.map((text) => text.split('\n')[0]).sort()).toEqual(
    expect.arrayContaining(['brass.txt', 'copper.txt', 'steel.txt']),
  )
})
