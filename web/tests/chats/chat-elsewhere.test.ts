import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answer, type ModelServer, startModelServer } from '../../../server/tests/support/models/model-server.ts'
import { launchBrowser } from '../support/browser.ts'
import { type RunningDocent, startDocent } from '../support/docent.ts'
import { driveClient } from '../support/drive.ts'
import { signedIn } from '../support/signed-in.ts'

let model: ModelServer
let docent: RunningDocent
let browser: Browser
let drive: ReturnType<typeof driveClient>

beforeAll(async () => {
  model = await startModelServer({ script: () => answer('You said so.') })
  docent = await startDocent({
    OPENAI_COMPATIBLE_BASE_URL: model.openaiUrl,
    DOCENT_MODEL: 'openai-compatible/scripted',
    DOCENT_SAMPLE: 'false',
  })
  drive = driveClient(docent)
  browser = await launchBrowser()
}, 180_000)

afterAll(async () => {
  await browser?.close()
  await docent?.stop()
  await model?.close()
})

async function openChat(name: string, questions: number) {
  const { id: agentId } = await drive.docent.agents.create({ name })
  const { id } = await drive.docent.chats.create(agentId, { title: `With ${name}`, chat_type: 'interact' })
  for (let turn = 1; turn <= questions; turn++)
    await drive.docent.chats.query(agentId, id, { query: `Question ${turn}` })
  const opened = await signedIn(browser, docent, { path: `/chat/${agentId}/${id}` })
  await opened.page.getByLabel(`Your question to ${name}`).waitFor()
  return { ...opened, agentId, id }
}

test('questions asked over the API come into an open chat, in their order', async () => {
  const { page, agentId, id, expectNoTrouble } = await openChat('Desk', 1)
  const asked = () => page.getByRole('article').getByRole('heading').allInnerTexts()
  await expect.poll(asked).toEqual(['Question 1'])
  await drive.docent.chats.query(agentId, id, { query: 'From elsewhere' })
  await page.getByLabel('Your question to Desk').fill('From here')
  await page.keyboard.press('Enter')
  await expect.poll(asked).toEqual(['Question 1', 'From elsewhere', 'From here'])
  await drive.docent.chats.query(agentId, id, { query: 'From elsewhere again' })
  await page.getByRole('heading', { name: 'From elsewhere again' }).waitFor({ timeout: 60_000 })
  expectNoTrouble()
})

test('a second tab has the new name of a chat, and tells that it was deleted', async () => {
  const { page } = await openChat('Tabs', 1)
  const second = await page.context().newPage()
  await second.goto(page.url())
  await second.getByRole('heading', { name: 'With Tabs' }).waitFor({ state: 'attached' })
  const choose = async (name: string) => {
    await page
      .locator('#page')
      .getByRole('button', { name: /^Actions for/ })
      .click()
    await page.getByRole('menuitem', { name }).click()
  }
  await choose('Rename…')
  await page.getByRole('dialog').getByRole('textbox').fill('One name in both')
  await page.keyboard.press('Enter')
  await second.getByRole('heading', { name: 'One name in both' }).waitFor({ state: 'attached' })
  await choose('Delete')
  await second.getByText('This chat is not here').waitFor({ timeout: 60_000 })
})

test('earlier questions come above the one that is read, which stays in its place', async () => {
  const { page, expectNoTrouble } = await openChat('Archive', 60)
  const read = page.getByRole('article').filter({ hasText: 'Question 11' })
  const earlier = page.getByRole('button', { name: 'Show earlier questions' })
  await earlier.evaluate((button) => button.closest('.overflow-y-auto')!.scrollTo(0, 0))
  await page.getByRole('heading', { name: 'Question 11' }).waitFor()
  const top = () => read.evaluate((turn) => Math.round(turn.getBoundingClientRect().top))
  const before = await top()
  await earlier.click()
  await earlier.waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'Question 10', exact: true }).waitFor({ state: 'attached' })
  await expect.poll(async () => Math.abs((await top()) - before)).toBeLessThan(3)
  expectNoTrouble()
})
