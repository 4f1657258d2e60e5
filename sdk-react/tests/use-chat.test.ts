import { join } from 'node:path'
import { Docent } from '@docent/sdk'
import type { Browser, Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { CREATE, callThenTell } from '../../server/tests/support/chats/reviews.ts'
import { answer, type Script, type Step, startModelServer } from '../../server/tests/support/models/model-server.ts'
import { startTestApp } from '../../server/tests/support/test-app.ts'
import { launchBrowser } from '../../web/tests/support/browser.ts'
import { ChatSession } from '../src/chat-session.ts'

let browser: Browser
let script: string
beforeAll(async () => {
  browser = await launchBrowser()
  const made = await rolldown({
    input: join(import.meta.dirname, 'page.ts'),
    platform: 'browser',
    transform: { define: { 'process.env.NODE_ENV': '"development"' } },
  })
  const { output } = await made.generate({ format: 'iife', codeSplitting: false })
  script = output[0].code
  await made.close()
})
afterAll(() => browser?.close())

/** A page of the server's with the hook in it, for an agent whose model is scripted. */
async function startPage(modelScript: Script | undefined, agentFields: object = {}) {
  const model = modelScript && (await startModelServer({ script: modelScript }))
  if (model) onTestFinished(() => model.close())
  const { url, owner } = await startTestApp(model && { OPENAI_BASE_URL: model.openaiUrl, OPENAI_API_KEY: 'key' })
  const client = new Docent({ baseUrl: url, apiKey: owner.apiKey })
  const agent = await client.agents.create({ name: 'Potter', ...(model && { model: 'openai/gpt-5' }), ...agentFields })
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const open = async (apiKey?: string) => {
    await page.goto(`${url}/healthz`)
    await page.evaluate((given) => Object.assign(globalThis, given), { agentId: agent.id, apiKey })
    await page.evaluate(script)
    await page.waitForFunction('globalThis.chat')
  }
  return { client, agent, page, owner, open, url }
}

const shown = (page: Page) => page.locator('p').allTextContents()
const act = (page: Page, call: string) => page.evaluate(`void globalThis.chat.${call}`)
const statusOf = (page: Page) => page.locator('main').getAttribute('data-status')
const reaches = (page: Page, status: string) => expect.poll(() => statusOf(page)).toBe(status)

test('a person asks with a token of theirs, which is renewed, and sees the answer with its sources, after a reload too', async () => {
  const { client, page, open, agent } = await startPage(undefined)
  const folder = await client.knowledgeBases.create({ knowledge_base_name: 'Workshop' })
  const file_id = await client.files.upload(new Blob(['The kiln fires at 1240 degrees.']), { name: 'kiln.txt' })
  await client.dataSources.add(folder.id, { file_id, data_source_title: 'kiln.txt' })
  await client.knowledgeBases.waitUntilIndexed(folder.id)
  await client.agents.update(agent.id, { knowledge_base_ids: [folder.id] })
  const tokens = ['ended']
  await page.exposeFunction('getToken', async () => {
    const fresh = () => client.userTokens.create({ virtual_user_email: 'ada@example.com', agent_ids: [agent.id] })
    return tokens.pop() ?? (await fresh()).token
  })
  await open()
  await reaches(page, 'ready')
  await act(page, "send('At how many degrees does the kiln fire?')")
  await expect.poll(() => shown(page)).toEqual([expect.stringMatching(/^At how many .*1240.*\[kiln\.txt/s)])
  await reaches(page, 'ready')
  const before = await shown(page)
  await open()
  await expect.poll(() => shown(page)).toEqual(before)
  const { chats } = await client.chats.list(agent.id, { virtual_user_email: 'ada@example.com' })
  expect(chats).toHaveLength(1)
})

test('an answer goes on after a reload and after a lost connection, and can be stopped', async () => {
  let { promise: until, resolve: release } = Promise.withResolvers<void>()
  let hangs = false
  const steps = (): Step[] => ['One, ', hangs ? { hang: true } : { until }, 'two, ', 'three.']
  const { page, open, owner } = await startPage(() => ({ steps: steps() }))
  await open(owner.apiKey)
  await act(page, "send('Count')")
  await expect.poll(() => shown(page)).toEqual(['Count > One,  []'])
  await open(owner.apiKey)
  release()
  await expect.poll(() => shown(page)).toEqual(['Count > One, two, three. []'])
  await reaches(page, 'ready')

  ;({ promise: until, resolve: release } = Promise.withResolvers<void>())
  await act(page, "send('Again')")
  await expect.poll(async () => (await shown(page)).at(-1)).toBe('Again > One,  []')
  await page.context().setOffline(true)
  release()
  await page.waitForTimeout(500)
  await page.context().setOffline(false)
  await expect.poll(async () => (await shown(page)).at(-1)).toBe('Again > One, two, three. []')

  hangs = true
  await act(page, "send('Ponder')")
  await expect.poll(async () => (await shown(page)).at(-1)).toBe('Ponder > One,  []')
  await act(page, 'stop()')
  await expect.poll(() => page.locator('p.stopped').allTextContents()).toEqual(['Ponder > One,  []'])
  await open(owner.apiKey)
  await expect.poll(() => page.locator('p.stopped').allTextContents()).toEqual(['Ponder > One,  []'])
  await act(page, 'clear()')
  await expect.poll(() => shown(page)).toEqual([])
})

test('a review waits, also over a reload, until it is approved or rejected', async () => {
  const { page, open, owner } = await startPage(callThenTell(CREATE), {
    tools: ['create_file'],
    tools_needing_approval: ['create_file'],
  })
  for (const [decision, outcome] of [
    ['approve()', 'letter.md'],
    ["reject('Not today')", 'Not today'],
  ]) {
    await open(owner.apiKey)
    await act(page, `clear()`)
    await act(page, "send('Write')")
    await reaches(page, 'waiting')
    await open(owner.apiKey)
    await reaches(page, 'waiting')
    expect(await shown(page)).toEqual([expect.stringContaining('? create_file')])
    await act(page, decision!)
    await expect.poll(() => page.locator('p.done').allTextContents()).toEqual([expect.stringContaining(outcome!)])
    await reaches(page, 'ready')
  }
})

test('a review that was decided does not show again while the answer is read anew', async () => {
  const { client, agent } = await startPage(callThenTell(CREATE), {
    tools: ['create_file'],
    tools_needing_approval: ['create_file'],
  })
  const session = new ChatSession(client, agent.id, undefined, { get: () => undefined, set: () => {} })
  await session.send('Write')
  expect(session.snapshot()).toMatchObject({ status: 'waiting', messages: [{ review: { status: 'pending' } }] })
  let isDecided = false
  const shownReviews: unknown[] = []
  session.subscribe(() => {
    const { status, messages } = session.snapshot()
    isDecided ||= status === 'streaming'
    if (isDecided && messages.at(-1)!.review) shownReviews.push(messages.at(-1)!.review)
  })
  await session.review({ decision: 'approve' })
  expect(session.snapshot()).toMatchObject({ status: 'ready', messages: [{ state: 'done', review: null }] })
  expect(shownReviews).toEqual([])
})

test('what fails is reported with the message, and the chat goes on', async () => {
  const failing: object[] = [{ status: 400, body: { error: { message: 'No' } } }]
  const { page, open, owner } = await startPage(() => (failing.pop() as never) ?? answer('Well.'))
  await open(owner.apiKey)
  await act(page, "send('First')")
  await reaches(page, 'error')
  expect(await page.locator('p.failed').count()).toBe(1)
  await act(page, "send('Second')")
  await expect.poll(async () => (await shown(page)).at(-1)).toBe('Second > Well. []')
  await reaches(page, 'ready')
})
