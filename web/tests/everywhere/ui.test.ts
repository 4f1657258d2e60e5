import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  answer,
  type ModelServer,
  type Step,
  startModelServer,
} from '../../../server/tests/support/models/model-server.ts'
import { launchBrowser } from '../support/browser.ts'
import { type RunningDocent, startDocent } from '../support/docent.ts'
import { markedText } from '../support/drive.ts'
import { layLine } from '../support/network/line.ts'
import { enterKey } from '../support/signed-in.ts'
import { visit } from '../support/visitor.ts'

const HANDBOOK = `# Lighthouse keeper's handbook

## The lamp
The lamp is lit at sunset and must turn once every twelve seconds, which sailors know as the sign of this coast.

## The boat
The supply boat comes on the first Tuesday of each month.
`

let model: ModelServer
let docent: RunningDocent
let browser: Browser
/** Answer of the model after its search. */
let says: Step[] = []

beforeAll(async () => {
  model = await startModelServer({
    script: ({ body }) => {
      const hasSearched = body.messages.at(-1).role === 'tool'
      const search = { toolCall: { name: 'search_knowledge', arguments: { query: 'How often does the lamp turn?' } } }
      return hasSearched ? answer(...says) : answer({ reasoning: 'Let me look it up.' }, search)
    },
  })
  docent = await startDocent({
    OPENAI_COMPATIBLE_BASE_URL: model.openaiUrl,
    DOCENT_MODEL: 'openai-compatible/scripted',
    DOCENT_SAMPLE: 'false',
    // The page must handle what the server lets through.
    DOCENT_LINK_HOSTS: 'example.com',
  })
  browser = await launchBrowser()
}, 180_000)

afterAll(async () => {
  await browser?.close()
  await docent?.stop()
  await model?.close()
})

async function visitor(url = docent.url) {
  const one = await visit(browser, url)
  onTestFinished(one.leave)
  return one
}

async function signIn(url = docent.url) {
  const one = await visitor(url)
  await enterKey(one.page, docent.apiKey)
  await one.page.getByRole('navigation', { name: 'Sections' }).waitFor()
  return one
}

test('a wrong key is refused with words that help, and kept nowhere', async () => {
  const { page, expectNoTrouble, expectAccessible } = await visitor()
  await page.getByRole('button', { name: 'Sign in with an API key' }).click()
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('alert').getByText('Fill this in.').waitFor()
  await expectAccessible()
  await page.getByLabel('API key').fill('dct_wrong')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('Docent does not know this key').waitFor()
  expect(await page.getByText('DATA_DIR/owner-key').isVisible()).toBe(true)
  const stored = await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]))
  expect(stored).not.toContain('dct_')
  expectNoTrouble()
})

test('from a folder, a file and an agent to an answer that shows its passage', async () => {
  const { page, expectNoTrouble, expectAccessible } = await signIn()

  await page.getByRole('link', { name: 'Drive' }).click()
  await page.getByRole('button', { name: 'New folder' }).last().click()
  await page.getByLabel('Name').fill('Lighthouse')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('main').getByRole('link', { name: 'Lighthouse' }).click()
  const picking = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Add files' }).first().click()
  await (await picking).setFiles({ name: 'handbook.md', mimeType: 'text/markdown', buffer: Buffer.from(HANDBOOK) })
  const file = page.getByRole('row').filter({ hasText: 'handbook.md' })
  await file.getByText('Ready').waitFor()
  await expectAccessible()

  await page.getByRole('link', { name: 'Agents' }).click()
  await page.getByRole('link', { name: 'New agent' }).first().click()
  await page.getByLabel('Name').fill('Keeper')
  await page.getByRole('checkbox', { name: 'Lighthouse' }).check()
  await expectAccessible()
  await page.getByRole('button', { name: 'Create agent' }).click()
  await page.getByRole('main').getByRole('link', { name: 'Chat', exact: true }).click()

  const { promise: isSeen, resolve: seen } = Promise.withResolvers<void>()
  says = [
    'It turns once ',
    { until: isSeen },
    'every **twelve** seconds [1].',
    '\n\n<b>raw</b> ![pixel](http://example.com/p.png) [bad](javascript:alert(1)) [good](https://example.com)',
  ]
  await page
    .getByRole('button', { name: /Handbook/ })
    .first()
    .waitFor()
  await page.getByLabel('Your question to Keeper').fill('How often does the lamp turn?')
  await page.keyboard.press('Enter')
  const turn = page.getByRole('article')
  await turn.getByText('It turns once').waitFor()
  expect(await turn.getByRole('strong').count()).toBe(0)
  await turn.getByText('Searched the documents').click()
  await turn.getByRole('listitem').getByText('handbook.md').waitFor()
  seen()

  await turn.getByRole('strong').getByText('twelve').waitFor()
  await turn.getByRole('button', { name: /^Source, 1, handbook.md/ }).click()
  const source = page.getByRole('dialog', { name: 'handbook.md' })
  await source.getByText('must turn once every twelve seconds').waitFor()
  expect(await source.textContent()).toContain('The lamp')
  expect(await turn.locator('b, img').count()).toBe(0)
  const links = await turn.locator('a').evaluateAll((all) => all.map((link) => link.outerHTML))
  expect(links).toEqual([
    expect.stringMatching(/href="http:\/\/example\.com\/p\.png".*rel="noopener.*pixel/),
    expect.stringMatching(/href="https:\/\/example\.com".*rel="noopener/),
  ])
  await expectAccessible()
  await page.keyboard.press('Escape')
  await source.waitFor({ state: 'detached' })

  await turn.getByRole('button', { name: /^Source, 1, handbook.md/ }).click()
  await source.getByRole('link', { name: 'Open' }).click()
  await page.getByRole('navigation', { name: 'Folders above' }).getByRole('link', { name: 'Lighthouse' }).waitFor()
  await expect.poll(() => markedText(page)).toContain('must turn once every twelve seconds')
  await page.goBack()

  await page.reload()
  await turn.getByRole('button', { name: /^Source, 1/ }).waitFor()
  await page.getByRole('list', { name: 'Chats' }).getByText('How often does the lamp turn?').waitFor()
  expectNoTrouble()
})

test('a line that is cut in the middle of an answer loses and doubles nothing', async () => {
  const line = await layLine(docent.url)
  onTestFinished(line.close)
  const { page } = await signIn(line.url)
  const { promise: isMended, resolve: mended } = Promise.withResolvers<void>()
  says = ['First half, ', { until: isMended }, 'second half.']
  await page.getByLabel('Your question to Keeper').fill('Say it in two halves')
  await page.keyboard.press('Enter')
  const turn = page.getByRole('article')
  await turn.getByText('First half,').waitFor()
  line.cut()
  mended()
  await turn.getByText('The connection to the server is lost').waitFor()
  line.mend()
  await turn.getByText('First half, second half.', { exact: true }).waitFor()
  expect(await turn.count()).toBe(1)
  expect(model.requests.filter(({ body }) => JSON.stringify(body).includes('two halves')).length).toBe(2)
})

test('an answer goes on while the page is loaded anew, and ends when it is stopped', async () => {
  const { page, expectNoTrouble } = await signIn()
  says = ['So far, ', { hang: true }]
  await page.getByLabel('Your question to Keeper').fill('Never stop')
  await page.keyboard.press('Enter')
  const turn = page.getByRole('article')
  await turn.getByText('So far,').waitFor()
  await page.reload()
  await turn.getByText('So far,').waitFor()
  await turn.getByText('Search: How often does the lamp turn?').waitFor()
  await page.getByRole('button', { name: 'Stop the answer' }).click()
  await turn.getByText('This answer was stopped').waitFor()
  expect(await turn.getByText('So far,').count()).toBe(1)

  const chat = page.getByRole('list', { name: 'Chats' }).getByRole('listitem').filter({ hasText: 'Never stop' })
  await chat.getByRole('button').click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await page.getByLabel('Title').fill('Stopped')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Stopped' }).waitFor()
  await page.getByRole('main').getByRole('button', { name: 'Actions for Stopped' }).click()
  await page.locator('[role=menuitem]:focus').waitFor()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'What would you like to know?' }).waitFor()
  await page.getByRole('link', { name: 'Stopped' }).waitFor({ state: 'detached' })
  expectNoTrouble()
})

test('dark and narrow it stays usable', async () => {
  const { page, leave, expectAccessible } = await visit(browser, docent.url, {
    colorScheme: 'dark',
    viewport: { width: 375, height: 720 },
  })
  onTestFinished(leave)
  await enterKey(page, docent.apiKey)
  await page.getByLabel('Your question to Keeper').waitFor()
  await expectAccessible()
  await page.getByRole('button', { name: 'Open the menu' }).click()
  await page.getByRole('button', { name: /My organization/ }).click()
  await page.getByRole('menuitemradio', { name: 'Light' }).click()
  expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('light')
  await page.getByRole('link', { name: 'Drive' }).click()
  await page.getByRole('main').getByRole('link', { name: 'Lighthouse' }).click()
  await page.getByText('handbook.md').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375)
  await expectAccessible()
})
