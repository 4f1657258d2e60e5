import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Docent } from '@docent/sdk'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answer, type ModelServer, startModelServer } from '../../../server/tests/support/models/model-server.ts'
import { launchBrowser } from '../support/browser.ts'
import { type RunningDocent, startDocent } from '../support/docent.ts'
import { signedIn } from '../support/signed-in.ts'

let model: ModelServer
let docent: RunningDocent
let browser: Browser
let prices: string

beforeAll(async () => {
  model = await startModelServer({
    script: ({ body }, index) => answer(`Answer ${index}: ${body.messages.at(-1).content}, says ${body.model}.`),
  })
  prices = await mkdtemp(join(tmpdir(), 'docent-prices-'))
  // A model with a price is among those that can be chosen.
  await writeFile(join(prices, 'prices.json'), JSON.stringify({ 'openai-compatible/larger': { input: 1, output: 1 } }))
  docent = await startDocent({
    OPENAI_COMPATIBLE_BASE_URL: model.openaiUrl,
    DOCENT_MODEL: 'openai-compatible/scripted',
    DOCENT_SAMPLE: 'false',
    DOCENT_PRICES_FILE: join(prices, 'prices.json'),
  })
  browser = await launchBrowser()
}, 180_000)

afterAll(async () => {
  await browser?.close()
  await docent?.stop()
  await model?.close()
  await rm(prices, { recursive: true, force: true })
})

test('an earlier question is edited, answers come from another model, and versions are gone through and compared', async () => {
  const api = new Docent({ baseUrl: docent.url, apiKey: docent.apiKey })
  const agent = await api.agents.create({ name: 'Harbour guide' })
  const { page, expectNoTrouble, expectAccessible } = await signedIn(
    browser,
    { url: docent.url, apiKey: docent.apiKey },
    { path: `/chat/${agent.id}` },
  )
  const turns = page.getByRole('article')
  async function ask(question: string): Promise<void> {
    await page.getByLabel('Your question to Harbour guide').fill(question)
    await page.keyboard.press('Enter')
    await turns.last().getByText(`${question}, says`).waitFor()
    await page.locator('article[aria-busy="true"]').waitFor({ state: 'detached' })
  }
  await ask('When do ships leave?')
  await ask('And on Sundays?')

  // The chat branches at its first question.
  await turns.first().getByRole('button', { name: 'Edit the question' }).first().focus()
  await page.keyboard.press('Enter')
  const editor = turns.first().getByLabel('Your question', { exact: true })
  await editor.fill('When do boats leave?')
  await page.keyboard.press('Enter')
  await turns.last().getByText('When do boats leave?, says').waitFor()
  const versions = turns.first().getByRole('group', { name: 'Versions' })
  await versions.getByText('Version 2 of 2').waitFor({ state: 'attached' })
  expect(await turns.count()).toBe(1)
  expect(JSON.stringify(model.requests.at(-1)!.body)).not.toContain('ships')
  await expectAccessible()

  // Back to the first one by keyboard, which stays at the switch.
  await versions.getByRole('button', { name: 'Previous version' }).focus()
  await page.keyboard.press('Enter')
  await versions.getByText('Version 1 of 2').waitFor({ state: 'attached' })
  expect(await turns.count()).toBe(2)
  await turns.last().getByRole('heading', { name: 'And on Sundays?' }).waitFor()
  await page.reload()
  await versions.getByText('Version 1 of 2').waitFor({ state: 'attached' })

  await turns.first().getByRole('button', { name: 'Try again with…' }).click()
  await page.getByRole('option', { name: /larger/ }).click()
  await turns.first().getByText('When do ships leave?, says larger').waitFor()
  await versions.getByText('Version 3 of 3').waitFor({ state: 'attached' })
  // The chat continues with that model, until it is switched.
  const switcher = page.getByRole('button', { name: 'Model of the next answer: larger' })
  await switcher.waitFor()
  await ask('And at night?')
  await turns.last().getByText('And at night?, says larger').waitFor()
  await switcher.click()
  await page.getByRole('option', { name: /scripted/ }).click()
  await ask('And at noon?')
  await turns.last().getByText('And at noon?, says scripted').waitFor()

  for (const width of [1280, 375]) {
    await page.setViewportSize({ width, height: 800 })
    await versions.getByRole('button', { name: 'Compare versions' }).click()
    const dialog = page.getByRole('dialog', { name: 'Compare versions' })
    await dialog.getByRole('region', { name: 'First version' }).getByText('When do boats leave?, says').waitFor()
    await dialog.getByRole('region', { name: 'Second version' }).getByText('says larger').waitFor()
    await expectAccessible()
    expect((await dialog.boundingBox())!.width).toBeGreaterThan(width * 0.85)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await expectAccessible()
  }
  expectNoTrouble()
}, 120_000)
