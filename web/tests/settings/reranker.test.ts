import { Docent } from '@docent/sdk'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ModelServer, startModelServer } from '../../../server/tests/support/models/model-server.ts'
import { launchBrowser } from '../support/browser.ts'
import { type RunningDocent, startDocent } from '../support/docent.ts'
import { signedIn } from '../support/signed-in.ts'

let reranker: ModelServer
let docent: RunningDocent
let browser: Browser
let owner: Docent

beforeAll(async () => {
  reranker = await startModelServer({
    script: ({ body }) => {
      if (body.model !== 'house-rerank') return { status: 404, body: { message: 'no such model' } }
      const results = body.documents.map((_: string, index: number) => ({ index, relevance_score: 1 - index }))
      return { status: 200, body: { results } }
    },
    list: () => ({ data: [{ id: 'house-rerank' }, { id: 'large' }] }),
  })
  docent = await startDocent({ DOCENT_OUTBOUND_ALLOW: '127.0.0.1/32' })
  browser = await launchBrowser()
  owner = new Docent({ baseUrl: docent.url, apiKey: docent.apiKey })
}, 180_000)

afterAll(async () => {
  await browser?.close()
  await docent?.stop()
  await reranker?.close()
})

test('a reranker is tested with one click and chosen, and other choices stay as they are', async () => {
  const { workspace } = await owner.me()
  await owner.modelProviders.put(workspace.id, 'house', { kind: 'openai-compatible', base_url: reranker.openaiUrl })
  await owner.modelDefaults.put(workspace.id, { summaries: 'house/large' })
  const { page, expectNoTrouble, expectAccessible } = await signedIn(browser, docent, { path: '/settings/models' })
  const form = page.locator('form', { has: page.getByLabel('Reranker', { exact: true }) })
  const save = form.getByRole('button', { name: 'Save the reranker' })
  const trial = form.getByRole('button', { name: 'Test the model' })
  await form.getByText('As the server has it: none').waitFor({ state: 'attached' })
  expect(await save.isDisabled()).toBe(true)
  await form.getByLabel('Reranker', { exact: true }).selectOption({ label: 'A model of our providers' })
  const model = form.getByRole('combobox', { name: 'Reranking model' })
  await model.fill('house/absent')
  await trial.click()
  await form.getByText('It cannot be used').waitFor()
  await model.fill('nowhere/house-rerank')
  await save.click()
  await form.getByText('There is no model provider "nowhere"').waitFor()
  await model.fill('')
  await page.getByRole('option', { name: 'house/house-rerank' }).click()
  await trial.click()
  await form.getByText('It answers').waitFor()
  await expectAccessible()
  await save.click()
  await page.getByText('The reranker was saved').waitFor()
  const stored = () => owner.modelDefaults.get(workspace.id)
  expect(await stored()).toMatchObject({ reranking: 'house/house-rerank', summaries: 'house/large' })

  const titles = page.getByRole('combobox', { name: 'Titles of chats' })
  await titles.fill('house/large')
  await page.locator('form', { has: titles }).getByRole('button', { name: 'Save' }).click()
  await page.getByText('The defaults were saved').waitFor()
  expect(await stored()).toMatchObject({ reranking: 'house/house-rerank', titles: 'house/large' })

  await form.getByLabel('Reranker', { exact: true }).selectOption({ label: 'None: the usual order' })
  await save.click()
  await expect.poll(async () => (await stored()).reranking).toBe('none')
  expectNoTrouble()
})
