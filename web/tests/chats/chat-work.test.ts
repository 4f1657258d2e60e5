import { Docent } from '@docent/sdk'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { answer, type ModelServer, startModelServer } from '../../../server/tests/support/models/model-server.ts'
import { launchBrowser } from '../support/browser.ts'
import { addDesk, asked, chatScript } from '../support/demo/chat-demo.ts'
import { type RunningDocent, startDocent } from '../support/docent.ts'
import { layLine } from '../support/network/line.ts'
import { signedIn } from '../support/signed-in.ts'

let model: ModelServer
let docent: RunningDocent
let browser: Browser
let api: Docent
let careful: string
let free: string
/** Resolved when the model may send the rest. */
let rest = Promise.withResolvers<void>()

beforeAll(async () => {
  model = await startModelServer({
    script: (request, index) => {
      const { question, done } = asked(request.body.messages)
      if (!question.includes('pieces')) return chatScript(request, index)
      if (done === 0)
        return answer(
          { reasoning: 'One thought, ' },
          { until: rest.promise },
          { reasoning: 'and the rest of it.' },
          'First, ',
          { toolCall: { name: 'create_file', arguments: { name: 'part.txt', content: 'A part.' } } },
        )
      return answer('second, ', { until: rest.promise }, 'third.')
    },
  })
  docent = await startDocent({
    OPENAI_COMPATIBLE_BASE_URL: model.openaiUrl,
    DOCENT_MODEL: 'openai-compatible/scripted',
    DOCENT_SAMPLE: 'false',
  })
  browser = await launchBrowser()
  api = new Docent({ baseUrl: docent.url, apiKey: docent.apiKey })
  careful = (await addDesk(api, ['create_file'])).id
  free = (await addDesk(api, [])).id
}, 180_000)

afterAll(async () => {
  await browser?.close()
  await docent?.stop()
  await model?.close()
})

const open = (agentId: string, url = docent.url) =>
  signedIn(browser, { url, apiKey: docent.apiKey }, { path: `/chat/${agentId}` })

async function ask(page: Page, question: string): Promise<void> {
  await page.getByLabel('Your question to Print desk').fill(question)
  await page.keyboard.press('Enter')
}

test('a tool waits to be allowed, over a reload, and the same answer goes on', async () => {
  const { page, expectNoTrouble, expectAccessible } = await open(careful)
  await ask(page, 'Write the letter')
  const turn = page.getByRole('article')
  const review = turn.getByRole('region', { name: 'Waits for you' })
  await review.getByText('loan-letter.md').first().waitFor()
  await expectAccessible()
  // On small screens, too, a request for a decision is visible with its buttons.
  await page.setViewportSize({ width: 375, height: 640 })
  await page.reload()
  const approve = review.getByRole('button', { name: 'Approve' })
  await approve.waitFor()
  const top = async (what: Locator) => (await what.boundingBox())!.y
  const box = page.getByLabel('Your question to Print desk')
  await expect.poll(async () => (await top(box)) - (await top(approve))).toBeGreaterThan(48)
  await review.getByRole('button', { name: 'Approve' }).click()
  await turn.getByText('It is ready, as').waitFor()
  expect(await turn.getByText('I prepared the letter.', { exact: true }).count()).toBe(1)
  await review.waitFor({ state: 'detached' })
  await turn.getByRole('list', { name: 'Files of this answer' }).getByText('loan-letter.md').waitFor()
  expect(await turn.count()).toBe(1)

  // After a decision elsewhere the answer continues here as well.
  await ask(page, 'Order the frames')
  const question = page.getByRole('article').last().getByRole('region', { name: 'Waits for you' })
  await question.getByRole('button', { name: 'Oak' }).waitFor()
  const [agentId, chatId] = new URL(page.url()).pathname.split('/').slice(2) as [string, string]
  const { messages } = await api.chats.messages.list(agentId, chatId)
  await api.chats.messages.review(agentId, chatId, messages.at(-1)!.id, { decision: 'answer', note: 'Black' })
  await page.getByRole('article').last().getByText('I note that.').waitFor()
  await question.waitFor({ state: 'detached' })
  expectNoTrouble()
})

test('thoughts, tools and a review lose and double nothing when the line is cut', async () => {
  const line = await layLine(docent.url)
  onTestFinished(line.close)
  const { page } = await open(careful, line.url)
  rest = Promise.withResolvers()
  await ask(page, 'Say it in pieces')
  const turn = page.getByRole('article')
  await turn.getByText('Thinking…').waitFor()
  line.cut()
  rest.resolve()
  await turn.getByText('The connection to the server is lost').waitFor()
  line.mend()
  const review = turn.getByRole('region', { name: 'Waits for you' })
  await review.getByRole('button', { name: 'Approve' }).waitFor()
  expect(await turn.getByText('First,', { exact: true }).count()).toBe(1)
  rest = Promise.withResolvers()
  await review.getByRole('button', { name: 'Approve' }).click()
  await turn.getByText('second,').waitFor()
  line.cut()
  rest.resolve()
  await turn.getByText('The connection to the server is lost').waitFor()
  line.mend()
  await turn.getByText('second, third.', { exact: true }).waitFor()
  expect(await turn.getByText('First,', { exact: true }).count()).toBe(1)
  const thoughts = turn.getByRole('list', { name: 'Steps' }).getByText(/^Thought/)
  expect(await thoughts.count()).toBe(1)
  await thoughts.click()
  await turn.getByText('One thought, and the rest of it.', { exact: true }).waitFor()
})

test('formulas, code and what tools made are shown under the strict policy', async () => {
  const { page, expectNoTrouble, expectAccessible } = await open(free)
  await ask(page, 'What about light?')
  const turn = page.getByRole('article').last()
  await turn.locator('math').nth(1).waitFor()
  await turn.locator('.hljs-keyword').first().waitFor()
  expect(await turn.getByText('It costs $5 and $10 more.').count()).toBe(1)
  expect(await turn.getByRole('checkbox').count()).toBe(2)
  expect(await turn.locator('img').count()).toBe(0)
  await expectAccessible()

  await ask(page, 'Give me the numbers')
  await page.getByRole('article').last().getByText('412 visitors came in May.').waitFor()
  const steps = page.getByRole('article').last().getByRole('list', { name: 'Steps' })
  await steps.getByText('visitors.json').click()
  await steps.getByText('412', { exact: true }).waitFor()
  expect(await steps.innerText()).not.toContain('{"may"')
  await steps.getByText('days', { exact: true }).waitFor()
  expectNoTrouble()
  const refusals: string[] = []
  page.on('console', (message) => refusals.push(message.text()))
  await steps.getByText('visitors.html').click()
  const frame = steps.frameLocator('iframe')
  await frame.getByRole('heading', { name: 'Visitors' }).waitFor()
  await expectAccessible()
  expect(await page.title()).not.toContain('broken out')
  // The browser reports what the frame may not do.
  await expect.poll(() => refusals.join('\n')).toContain('Blocked script execution')
  await expect.poll(() => refusals.join('\n')).toMatch(/pictures\.example\/pixel\.png' violates/)
})

test('files and shortcuts go along; answers are edited, rated, pinned and deleted', async () => {
  const { page, expectNoTrouble, expectAccessible } = await open(free)
  const box = page.getByLabel('Your question to Print desk')
  await page.locator('input[type=file]').setInputFiles({
    name: 'sizes.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('work,height\nHarbour I,42\n'),
  })
  const files = page.getByRole('list', { name: 'Files for this question' })
  await files.getByText('sizes.csv').waitFor()
  await files.getByRole('progressbar').waitFor({ state: 'detached' })
  await ask(page, 'Is this file right?')
  const turn = page.getByRole('article').last()
  await turn.getByText('You said:').waitFor()
  await turn.getByRole('list', { name: 'Files of this question' }).getByText('sizes.csv').waitFor()
  await page.reload()
  await turn.getByRole('list', { name: 'Files of this question' }).getByText('sizes.csv').waitFor()
  expect(JSON.stringify(model.requests.at(-1)!.body)).toContain('Harbour I')

  await turn.getByRole('button', { name: 'Bad answer' }).click()
  await turn.getByLabel('What was wrong with it?').fill('Too short')
  await turn.getByRole('button', { name: 'Send' }).click()
  await turn.getByRole('button', { name: 'Pin', exact: true }).click()
  await turn.getByText('Pinned').waitFor()
  await expectAccessible()

  await box.click()
  await page.keyboard.press('ArrowUp')
  const editor = turn.getByLabel('Your question', { exact: true })
  await editor.waitFor()
  await page.keyboard.press('Escape')
  await editor.waitFor({ state: 'detached' })
  expect(await box.evaluate((element) => element === document.activeElement)).toBe(true)
  const edit = turn.getByRole('button', { name: 'Edit the question' })
  await edit.focus()
  await page.keyboard.press('Enter')
  await editor.waitFor()
  await page.keyboard.press('Escape')
  await editor.waitFor({ state: 'detached' })
  expect(await edit.evaluate((element) => element === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  await editor.fill('Is that file right?')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Is that file right?' }).waitFor()
  await turn.getByText('that file').last().waitFor()
  expect(await page.getByRole('article').count()).toBe(1)
  await page.locator('article[aria-busy="false"]').waitFor()

  await box.fill('/li')
  await page.getByRole('option', { name: /Light check/ }).waitFor()
  await page.keyboard.press('Enter')
  const form = page.getByRole('dialog', { name: 'Light check' })
  await form.getByRole('button', { name: 'Ask' }).click()
  await form.getByText('Fill in room.').waitFor()
  await form.getByLabel('Room').selectOption('Harbour hall')
  await form.getByLabel('Hours').fill('8')
  await expectAccessible()
  await form.getByRole('button', { name: 'Ask' }).click()
  await page.getByRole('heading', { name: 'Light check' }).waitFor()
  await turn.getByText('Harbour hall').first().waitFor()
  await turn.getByRole('button', { name: 'More actions for this answer' }).click()
  await page.getByRole('menuitem', { name: 'Usage and cost' }).click()
  await page.getByRole('dialog').getByText('openai-compatible/scripted').waitFor()
  await page.keyboard.press('Escape')
  await turn.getByRole('button', { name: 'More actions for this answer' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { name: 'Light check' }).waitFor({ state: 'detached' })

  const chats = page.getByRole('list', { name: 'Chats' })
  await chats.getByText('Today').waitFor()
  await page.keyboard.press('Control+k')
  // A dialog opened by a key receives the typed text.
  await page.getByRole('dialog', { name: 'Search' }).waitFor()
  await page.keyboard.type('light?')
  expect(
    await page.getByRole('combobox', { name: 'Pages, agents, chats, files, and what they say' }).inputValue(),
  ).toBe('light?')
  await page.getByRole('option', { name: /What about light/ }).waitFor()
  await expectAccessible()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'What about light?' }).first().waitFor()
  const row = chats.getByRole('listitem').filter({ hasText: 'Is this file right?' })
  await row.hover()
  await row.getByRole('button').click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await row.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await row.waitFor()
  expectNoTrouble()
})
