import { Docent } from '@docent/sdk'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answer, type ModelServer, startModelServer } from '../../../server/tests/support/models/model-server.ts'
import { launchBrowser } from '../support/browser.ts'
import { type RunningDocent, startDocent } from '../support/docent.ts'
import { signedIn } from '../support/signed-in.ts'

const KEY = 'sk-typed-into-the-form-a1b2'
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const LIST = {
  data: [
    { id: 'large', context_length: 200_000, architecture: { input_modalities: ['text', 'image'] } },
    {
      id: 'small',
      context_length: 9_000,
      architecture: { input_modalities: ['text'] },
      supported_parameters: ['tools'],
      pricing: { prompt: '0.000001', completion: '0.000002' },
    },
    { id: 'silent' },
  ],
}

let models: ModelServer
/** Whether the provider makes embeddings. */
let hasMeaning = true
let docent: RunningDocent
let browser: Browser
let owner: Docent

beforeAll(async () => {
  models = await startModelServer({
    script: ({ headers, protocol }) => {
      if (headers.authorization !== `Bearer ${KEY}` || (protocol === 'embeddings' && !hasMeaning))
        return { status: 401 }
      return protocol === 'embeddings' ? undefined : answer('From the connected model.')
    },
    list: ({ headers }) => (headers.authorization === `Bearer ${KEY}` ? LIST : undefined),
  })
  docent = await startDocent({ DOCENT_OUTBOUND_ALLOW: '127.0.0.1/32' })
  browser = await launchBrowser()
  owner = new Docent({ baseUrl: docent.url, apiKey: docent.apiKey })
}, 180_000)

afterAll(async () => {
  await browser?.close()
  await docent?.stop()
  await models?.close()
})

test('the offline model’s line leads to a provider, which is tested, connected and made the default', async () => {
  const [agent] = (await owner.agents.list()).agents
  const { page, expectNoTrouble, expectAccessible } = await signedIn(browser, docent, { path: `/chat/${agent!.id}` })
  await page.getByText('Answers quote sentences of the documents.').waitFor()
  await page.getByRole('link', { name: 'Connect a model' }).click()
  await page.getByRole('heading', { name: 'No model is connected' }).waitFor()
  await expectAccessible()

  await page.getByRole('button', { name: 'Connect a provider' }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('button', { name: 'Connect' }).click()
  await form.getByText('Fill this in.').waitFor()
  // It asks for no key, so that nothing is missing any more.
  await form.getByLabel('Provider').selectOption({ label: 'OpenAI-compatible server' })
  await form.getByText('Fill this in.').waitFor({ state: 'detached' })
  await form.getByLabel('Address').fill(models.openaiUrl)
  await form.getByLabel('API key').fill('sk-wrong-key')
  await form.getByLabel('Name').fill('House')
  await form.getByRole('button', { name: 'Connect' }).click()
  await form.getByText('lower-case letters, digits and hyphens, a letter first').waitFor()
  await form.getByLabel('Name').fill('house')
  await form.getByRole('button', { name: 'Test' }).click()
  await form.getByText('It cannot be used').waitFor()
  await form.getByLabel('API key').fill(KEY)
  expect(await form.getByText('It cannot be used').count()).toBe(0)
  await form.getByRole('button', { name: 'Test' }).click()
  await form.getByText('3 models, after').waitFor()
  await expectAccessible()
  await form.getByRole('button', { name: 'Connect' }).click()
  await form.waitFor({ state: 'detached' })

  const row = page.getByRole('listitem').filter({ hasText: 'house' })
  await row.getByText('key …a1b2').waitFor()
  await row.getByRole('button', { name: 'Test house' }).click()
  await row.getByText('It answers').waitFor()
  const small = page.getByRole('row').filter({ hasText: 'house/small' })
  await small.getByText('9,000', { exact: true }).waitFor()
  const silent = page.getByRole('row').filter({ hasText: 'house/silent' })
  await silent.getByText('128,000 assumed').waitFor()
  // Pictures and tools, of which its provider tells nothing.
  await expect.poll(() => silent.getByText('Unknown', { exact: true }).count()).toBe(2)
  await small.getByText('$1 in, $2 out for a million').waitFor()
  expect(await page.content()).not.toContain(KEY)

  await page.getByRole('combobox', { name: 'Answers' }).fill('smal')
  await page.getByRole('option', { name: 'house/small' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The defaults were saved').waitFor()
  await expectAccessible()
  await row.getByRole('button', { name: 'Remove house' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByText('A default of the workspace is one of its models').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  expectNoTrouble()
})

test('a chat tells that its model does not see pictures, and another one is searched for and answers', async () => {
  const [agent] = (await owner.agents.list()).agents
  const { page, expectNoTrouble, expectAccessible } = await signedIn(browser, docent, { path: `/chat/${agent!.id}` })
  const box = page.getByRole('textbox', { name: /Your question/ })
  await box.fill('Hello')
  await page.keyboard.press('Enter')
  await page.getByRole('article').getByText('From the connected model.').waitFor()
  expect(await page.getByText('Answers quote sentences').count()).toBe(0)
  await page.locator('input[type=file]').setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: PICTURE })
  await page.getByText('small does not see pictures').waitFor()

  await page.getByRole('button', { name: 'Model of the next answer: small' }).click()
  const search = page.getByRole('combobox', { name: 'Model of the next answer' })
  await search.fill('nothing-like-it')
  await page.getByText('No model has this in its name.').waitFor()
  await search.fill('silent')
  const silent = page.getByRole('option', { name: 'house/silent' })
  await silent.getByText('128,000 tokens assumed', { exact: true }).waitFor()
  await silent.click()
  await page.getByText('It is not known whether silent sees pictures').waitFor()
  await page.getByRole('button', { name: 'Model of the next answer: silent' }).click()
  await search.fill('lar')
  await page.getByRole('option', { name: 'house/large' }).waitFor()
  await expectAccessible()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Model of the next answer: large' }).waitFor()
  await page.getByText('sees pictures').waitFor({ state: 'detached' })
  await box.fill('Describe it')
  await page.keyboard.press('Enter')
  await expect.poll(() => JSON.stringify(models.requests.at(-1)!.body)).toContain('image_url')
  expect(models.requests.at(-1)!.body.model).toBe('large')
  expectNoTrouble()
})

test('an embedding model is tested and chosen; its index is built beside the old one, stops with a reason, and goes on', async () => {
  const { page, expectNoTrouble, expectAccessible } = await signedIn(browser, docent, { path: '/settings/models' })
  await page.getByText('Searches use: words alone').waitFor()
  const build = page.getByRole('button', { name: 'Build the index' })
  expect(await build.isDisabled()).toBe(true)
  await page.getByLabel('Embeddings').selectOption({ label: 'A model of our providers' })
  const model = page.getByRole('combobox', { name: 'Embedding model' })
  await model.fill('nowhere/meaning')
  await build.click()
  await page.getByText('There is no model provider "nowhere"').waitFor()
  await model.fill('house/meaning')
  await page.getByRole('button', { name: 'Test the model' }).click()
  await page.getByText('vectors of 64 numbers, after').waitFor()
  await expectAccessible()

  hasMeaning = false
  await build.click()
  await page.getByText('The next index is not being built:').waitFor()
  await page.getByText('(key, 401)').waitFor()
  await page.getByText('Searches go to the old index meanwhile.').waitFor()
  await page.getByText('Searches use: words alone').waitFor()
  await expectAccessible()
  hasMeaning = true
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Searches use: house/meaning').waitFor()
  expect(await page.getByText('The next index').count()).toBe(0)

  await page.getByLabel('Embeddings').selectOption({ label: 'None: words alone' })
  await build.click()
  await page.getByText('Searches use: words alone').waitFor()
  expectNoTrouble()
})
