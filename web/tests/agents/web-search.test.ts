import { expect, test } from 'vitest'
import { startReceiver } from '../../../server/tests/support/http/receiver.ts'
import { startScripted } from '../support/demo/scripted.ts'
import { signedIn } from '../support/signed-in.ts'

const app = startScripted({ DOCENT_OUTBOUND_ALLOW: '127.0.0.1/32' })

test('an admin gives an agent web search, tries the provider and saves it', async () => {
  const results = [{ title: 'Kilns', url: 'https://kiln.example/', content: 'Hot.' }]
  const searxng = await startReceiver((_, response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ results, unresponsive_engines: [] })),
  )
  const { id } = await app.docent.agents.create({ name: 'Scout' })
  const { page, expectNoTrouble, expectAccessible } = await signedIn(app.browser, app.server, {
    path: `/agents/${id}`,
  })
  await page.getByRole('navigation', { name: 'Parts' }).getByRole('link', { name: 'Tools' }).click()
  await page.getByRole('checkbox', { name: 'Search the web', exact: true }).check()
  const section = page.getByRole('region', { name: 'Web search' })
  await section.getByText('Not set up').waitFor()
  await section.getByRole('button', { name: 'Set up' }).click()
  const form = page.getByRole('dialog', { name: 'Web search' })
  await form.getByLabel('API key').fill('a-key')
  await form.getByLabel('Provider').selectOption('searxng')
  await form.getByLabel('Address').fill('http://127.0.0.1:1')
  await form.getByRole('button', { name: 'Test' }).click()
  await form.getByText('could not be reached').waitFor()
  await form.getByLabel('Address').fill(searxng.url)
  await form.getByRole('button', { name: 'Test' }).click()
  await form.getByText('https://kiln.example/').waitFor()
  await expectAccessible()
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/web-search.png` })
  await form.getByRole('button', { name: 'Save' }).click()
  await form.waitFor({ state: 'detached' })
  await section.getByText('SearXNG').waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
  expect(await app.docent.agents.get(id)).toMatchObject({ tools: ['web_search'] })
  const { workspace } = await app.docent.me()
  expect((await app.docent.webSearch.get(workspace.id)).provider).toMatchObject({
    kind: 'searxng',
    base_url: searxng.url,
    key_hint: null,
    has_key: false,
  })
  await expectAccessible()
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/web-search-2.png`, fullPage: true })
  await expectNoTrouble()
})
