// npm run interactions -w web: how long keys and clicks take until the page shows what they did, in milliseconds, as
// the browser measures it (Event Timing: from the key to the next picture; it counts in steps of 8 ms).
import { Docent } from '@docent/sdk'
import type { Page } from 'playwright-core'
import { answer, startModelServer } from '../../server/tests/support/model-server.ts'
import { launchBrowser } from './support/browser.ts'
import { RICH } from './support/chat-demo.ts'
import { startDocent } from './support/docent.ts'
import { visit } from './support/visitor.ts'

const FILES = Number(process.argv[2] ?? 2_000)
const TURNS = 20

await using model = await startModelServer({
  script: ({ body }) =>
    String(body.messages.at(-1).content).includes('slowly')
      ? { ...answer(...RICH.repeat(12).split(/(?=\s)/)), tokenDelayMs: 4 }
      : answer(RICH),
})
const server = await startDocent({
  OPENAI_COMPATIBLE_BASE_URL: model.openaiUrl,
  DOCENT_MODEL: 'openai-compatible/scripted',
  DOCENT_SAMPLE: 'false',
})
const browser = await launchBrowser()
const rows: Record<string, Record<string, number>> = {}
try {
  const docent = new Docent({ baseUrl: server.url, apiKey: server.apiKey })
  const folder = await fillFolder(docent)
  const agent = await docent.agents.create({ name: 'Keeper' })
  const chat = await docent.chats.create(agent.id, { title: 'Long', chat_type: 'interact' })
  for (let turn = 0; turn < TURNS; turn++) await docent.chats.query(agent.id, chat.id, { query: `Question ${turn}` })
  const { page } = await visit(browser, server.url)
  await page.getByLabel('API key').fill(server.apiKey)
  await page.keyboard.press('Enter')
  await page.locator('#page').waitFor()

  await page.goto(`${server.url}/drive/${folder}`)
  await page.getByRole('row').nth(3).waitFor()
  await measure(page, `drive: ${FILES} files, keys, clicks and scrolling`, async () => {
    await page.getByRole('row').nth(2).click()
    for (let step = 0; step < 40; step++) await page.keyboard.press('ArrowDown')
    for (let step = 0; step < 10; step++) await page.keyboard.press('PageDown')
    await page.keyboard.press('End')
    await page.keyboard.press('Home')
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Escape')
    for (let step = 0; step < 10; step++) await page.mouse.wheel(0, 900)
  })
  await measure(page, 'drive: search as you type', () => page.getByRole('searchbox').pressSequentially('notes 1'))

  await page.goto(`${server.url}/chat/${agent.id}/${chat.id}`)
  await page
    .getByRole('article')
    .nth(TURNS - 1)
    .waitFor()
  const box = page.getByLabel('Your question to Keeper')
  await measure(page, `chat: ${TURNS} long answers, typing`, () => box.pressSequentially('What does this cost in all?'))
  await box.fill('Tell me slowly')
  await measure(page, 'chat: typing and clicks while an answer comes', async () => {
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Stop' }).waitFor()
    await box.pressSequentially('and what else is there to know about it')
    await page.getByRole('button', { name: 'Search the chats' }).click()
    await page
      .getByRole('button', { name: 'Search the chats' })
      .or(page.getByRole('button', { name: 'End the search' }))
      .click()
  })

  await page.goto(`${server.url}/agents/${agent.id}`)
  await page.getByLabel('Instructions').waitFor()
  await measure(page, 'builder: typing and tabs', async () => {
    await page.getByLabel('Instructions').pressSequentially('Answer in one short paragraph.')
    for (const part of ['Knowledge', 'Tools', 'Actions', 'Limits', 'Sharing', 'Basics'])
      await page.getByRole('navigation', { name: 'Parts' }).getByRole('link', { name: part }).click()
    await page.getByRole('button', { name: 'Discard' }).click()
  })
  await page.goto(`${server.url}/agents/${agent.id}/threads`)
  await page.getByRole('region', { name: 'Threads' }).waitFor()
  await measure(page, 'threads: filters, sorting, columns', async () => {
    await page.getByLabel('Find by title').pressSequentially('long')
    await page.getByRole('button', { name: 'Thread', exact: true }).click()
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('dialog').getByRole('checkbox').first().click()
    await page.keyboard.press('Escape')
  })
  console.table(rows)
} finally {
  await browser.close()
  await server.stop()
}

/** Does something, and keeps how long each key and click of it took. */
async function measure(page: Page, name: string, act: () => Promise<unknown>): Promise<void> {
  await page.evaluate(() => {
    const seen: number[] = []
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as PerformanceEventTiming[])
        if (entry.interactionId) seen.push(entry.duration)
    })
    observer.observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
    Object.assign(window, { seen })
  })
  await act()
  await page.waitForTimeout(500)
  const durations = await page.evaluate(() => (window as unknown as { seen: number[] }).seen)
  durations.sort((one, other) => one - other)
  const at = (share: number) => durations[Math.min(durations.length - 1, Math.floor(durations.length * share))] ?? 0
  rows[name] = { events: durations.length, median: at(0.5), p95: at(0.95), worst: durations.at(-1) ?? 0 }
}

async function fillFolder(docent: Docent): Promise<string> {
  const { id } = await docent.knowledgeBases.create({ knowledge_base_name: 'Many' })
  for (let at = 0; at < FILES; at += 20)
    await Promise.all(
      Array.from({ length: Math.min(20, FILES - at) }, async (_, index) => {
        const title = `notes ${at + index}.txt`
        const file = await docent.files.upload(new File([`Notes ${at + index}`], title))
        await docent.dataSources.add(id, { file_id: file, data_source_title: title })
      }),
    )
  return id
}
