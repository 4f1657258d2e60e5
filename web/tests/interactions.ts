// npm run interactions -w web [-- FILES]: duration of keys and clicks, in milliseconds. "Shown" is the browser's
// measure (Event Timing: from the key to the next frame, in steps of 8 ms), "work" the time of the page's main thread:
// other load of the machine lengthens the first, hardly the second.
import { Docent } from '@docent/sdk'
import type { Locator, Page } from 'playwright-core'
import { answer, startModelServer } from '../../server/tests/support/models/model-server.ts'
import { launchBrowser } from './support/browser.ts'
import { RICH } from './support/demo/chat-demo.ts'
import { startDocent } from './support/docent.ts'
import { traceInteractions } from './support/measures/interaction-trace.ts'
import { enterKey } from './support/signed-in.ts'
import { visit } from './support/visitor.ts'

const FILES = Number(process.argv[2] ?? 2_000)
const TURNS = 20
const MANY_TURNS = 400

await using model = await startModelServer({
  script: ({ body }) =>
    String(body.messages.at(-1).content).includes('slowly')
      ? { ...answer(...RICH.repeat(60).split(/(?=\s)/)), tokenDelayMs: 4 }
      : answer(RICH),
})
const server = await startDocent({
  OPENAI_COMPATIBLE_BASE_URL: model.openaiUrl,
  DOCENT_MODEL: 'openai-compatible/scripted',
  DOCENT_SAMPLE: 'false',
  // The script fills the drive faster than applications may.
  DOCENT_RATE_LIMIT: '0',
})
const browser = await launchBrowser()
const rows: Record<string, Record<string, number | string>> = {}
try {
  const docent = new Docent({ baseUrl: server.url, apiKey: server.apiKey })
  const folder = await fillFolder(docent)
  const agent = await docent.agents.create({ name: 'Keeper' })
  const chat = await docent.chats.create(agent.id, { title: 'Long', chat_type: 'interact' })
  for (let turn = 0; turn < TURNS; turn++) await docent.chats.query(agent.id, chat.id, { query: `Question ${turn}` })
  const { id: endless } = await docent.chats.create(agent.id, { title: 'Endless', chat_type: 'interact' })
  for (let turn = 0; turn < MANY_TURNS; turn++)
    await docent.chats.query(agent.id, endless, { query: `Question ${turn}` })
  const { page } = await visit(browser, server.url, { reducedMotion: 'no-preference' })
  // One action after the other, as people do them: one that waits for the previous one would be measured twice.
  const breath = () =>
    page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 30)))),
    )
  const press = (key: string) => page.keyboard.press(key).then(breath)
  const click = (what: Locator) => what.click().then(breath)
  const type = async (text: string) => {
    for (const letter of text) await press(letter === ' ' ? 'Space' : letter)
  }
  await enterKey(page, server.apiKey)
  await page.locator('#page').waitFor()

  await page.goto(`${server.url}/drive/${folder}`)
  await page.getByRole('row').nth(3).waitFor()
  await measure(page, `drive: ${FILES} files, keys, clicks and dialogs`, async () => {
    await click(page.getByRole('row').nth(2))
    for (let step = 0; step < 40; step++) await press('ArrowDown')
    for (let step = 0; step < 10; step++) await press('PageDown')
    for (const key of ['End', 'Home', 'Control+a', 'Escape', 'F2', 'Escape', 'm', 'Escape']) await press(key)
    await click(page.getByRole('button', { name: /^Actions for/ }).nth(3))
    await press('Escape')
  })
  await page.getByRole('searchbox').click()
  await measure(page, 'drive: search as you type', () => type('notes 1'))

  await page.goto(`${server.url}/chat/${agent.id}`)
  const box = page.getByLabel('Your question to Keeper')
  await box.waitFor()
  const long = page.getByRole('link', { name: 'Long', exact: true })
  const answers = page.getByRole('article')
  const newest = page.getByRole('heading', { name: `Question ${TURNS - 1}`, exact: true })
  await measure(page, `chat: one of ${TURNS} long answers is opened, left, and opened again`, async () => {
    await click(long)
    await newest.waitFor()
    await click(page.getByRole('link', { name: 'New chat' }))
    await click(long)
    await newest.waitFor()
  })
  await box.click()
  await measure(page, `chat: ${TURNS} long answers, typing`, () => type('What does this cost in all?'))
  await box.fill('Tell me slowly')
  await measure(page, 'chat: typing and clicks while an answer comes', async () => {
    await press('Enter')
    await page.getByRole('button', { name: 'Stop' }).waitFor()
    await type('and what else is there')
    await click(page.getByRole('button', { name: 'Search the chats' }))
    await type('lon')
    await click(page.getByRole('button', { name: 'Stop' }))
  })

  await page.goto(`${server.url}/chat/${agent.id}/${endless}`)
  const earlier = page.getByRole('button', { name: 'Show earlier questions' })
  await earlier.waitFor()
  while ((await earlier.count()) > 0) {
    await earlier.evaluate((button: HTMLButtonElement) => button.click()).catch(() => {})
    await breath()
  }
  await box.click()
  await measure(page, `chat: ${MANY_TURNS} turns, asking at the end`, async () => {
    await type('What does this cost?')
    await press('Enter')
    await answers.last().getByRole('button', { name: 'Copy' }).first().waitFor()
  })

  const sections = page.getByRole('navigation', { name: 'Sections' })
  await measure(page, 'from section to section', async () => {
    for (const name of ['Drive', 'Agents', 'Inbox', 'People', 'Settings', 'Chat'])
      await click(sections.getByRole('link', { name }))
  })
  await page.goto(`${server.url}/agents/${agent.id}`)
  await page.getByLabel('Instructions').click()
  await measure(page, 'builder: typing and tabs', async () => {
    await type('Answer in one short paragraph.')
    for (const part of ['Knowledge', 'Tools', 'Actions', 'Limits', 'Sharing', 'Basics'])
      await click(page.getByRole('navigation', { name: 'Parts' }).getByRole('link', { name: part }))
    await click(page.getByRole('button', { name: 'Discard' }))
  })
  await page.goto(`${server.url}/agents/${agent.id}/threads`)
  await page.getByRole('region', { name: 'Threads' }).waitFor()
  await page.getByLabel('Find by title').click()
  await measure(page, 'threads: filters, sorting, columns', async () => {
    await type('long')
    await click(page.getByRole('button', { name: 'Thread', exact: true }))
    await click(page.getByRole('button', { name: 'Columns' }))
    await click(page.getByRole('dialog').getByRole('checkbox').first())
    await press('Escape')
  })
  console.table(rows)
} finally {
  await browser.close()
  await server.stop()
}

/** Runs an action, and records the duration of each key and click. */
async function measure(page: Page, name: string, act: () => Promise<unknown>): Promise<void> {
  const { interactions, longestTaskMs } = await traceInteractions(browser, page, act)
  const shown = interactions.map(({ shownMs }) => shownMs).sort((one, other) => one - other)
  const worked = interactions.toSorted((one, other) => one.workMs - other.workMs)
  const at = <T>(all: T[], share: number) => all[Math.min(all.length - 1, Math.floor(all.length * share))]
  const worst = worked.at(-1)
  rows[name] = {
    events: interactions.length,
    'shown: median': at(shown, 0.5) ?? 0,
    p95: at(shown, 0.95) ?? 0,
    worst: shown.at(-1) ?? 0,
    'work: median': Math.round(at(worked, 0.5)?.workMs ?? 0),
    'work: p95': Math.round(at(worked, 0.95)?.workMs ?? 0),
    'work: worst': Math.round(worst?.workMs ?? 0),
    'longest task': Math.round(longestTaskMs),
    'which was': worst ? `${worst.type}: ${worst.most}` : '',
  }
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
