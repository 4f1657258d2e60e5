import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startScripted } from '../support/demo/scripted.ts'
import { signedIn } from '../support/signed-in.ts'

const sources = await mkdtemp(join(tmpdir(), 'docent-sources-'))
const app = startScripted({ DOCENT_DIRECTORY_ROOTS: sources })

afterAll(() => rm(sources, { recursive: true, force: true }))

test('a folder of the server is linked, synced, and unlinked', async () => {
  await mkdir(join(sources, 'catalogue'))
  await writeFile(join(sources, 'catalogue/prints.md'), '# Prints\n\nThere are 4,200 sheets.\n')
  const { page, expectNoTrouble, expectAccessible } = await signedIn(app.browser, app.server, {
    path: '/settings/integrations',
  })
  await page.getByRole('heading', { name: 'No sources yet' }).waitFor()
  await expectAccessible()
  await page.getByRole('button', { name: 'Link a source' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Name of the folder').fill('Catalogue')
  await form.getByLabel('Path').fill('/somewhere/else')
  await form.getByRole('button', { name: 'Link it' }).click()
  await form.getByRole('alert').getByText('DOCENT_DIRECTORY_ROOTS').waitFor()
  await form.getByLabel('Path').and(form.locator(':focus')).waitFor()
  await form.getByLabel('Path').fill(join(sources, 'catalogue'))
  await form.getByLabel('Exclude files').fill('*.tmp')
  await form.getByRole('button', { name: 'Test connection' }).click()
  await form.getByRole('status').getByText('The source can be read: prints.md').waitFor()
  await expectAccessible()
  await form.getByRole('button', { name: 'Link it' }).click()
  const row = page.getByRole('listitem').filter({ hasText: 'Catalogue' })
  await row.getByText('In sync', { exact: true }).waitFor()
  await row.getByRole('button', { name: 'Pause' }).click()
  await row.getByText('Paused', { exact: true }).waitFor()
  await row.getByRole('button', { name: 'Resume' }).click()
  await row.getByText('In sync', { exact: true }).waitFor()
  await row.getByRole('button', { name: 'Change Catalogue' }).click()
  expect(await form.getByLabel('Exclude files').inputValue()).toBe('*.tmp')
  const syncedAt = async () => (await app.docent.integrations.list()).integrations.map((one) => one.last_synced_at)
  const before = await syncedAt()
  await form.getByLabel('Sync interval').fill('600')
  await form.getByRole('button', { name: 'Save and sync' }).click()
  // The row may tell of the sync before until this one ends.
  await expect.poll(syncedAt).not.toEqual(before)
  await row.getByText('In sync', { exact: true }).waitFor()
  await writeFile(join(sources, 'catalogue/maps.md'), '# Maps\n\nThere are 80 maps.\n')
  await row.getByRole('button', { name: 'Sync now' }).click()
  await row.getByRole('link', { name: 'Catalogue' }).click()
  await page.getByText('maps.md').first().waitFor()
  await page.goBack()
  await row.getByText('In sync', { exact: true }).waitFor()
  // Stopping a sync takes another button than the one that began it, which stays where it is.
  const sync = row.getByRole('button', { name: 'Sync now' })
  const place = await sync.boundingBox()
  await page.route('**/v1/integrations?*', async (route) => {
    const reply = await route.fetch()
    const { data } = await reply.json()
    const integrations = data.integrations.map((one: object) => ({ ...one, status: 'syncing' }))
    await route.fulfill({ response: reply, json: { data: { ...data, integrations } } })
  })
  await page.reload()
  await row.getByRole('button', { name: 'Stop' }).waitFor()
  expect(await sync.isDisabled()).toBe(true)
  expect((await sync.boundingBox())!.y).toBe(place!.y)
  await expectAccessible()
  await page.unroute('**/v1/integrations?*')
  await page.reload()
  await row.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })
  await row.getByRole('button', { name: 'Unlink Catalogue' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Unlink/ })
    .click()
  await page.getByRole('heading', { name: 'No sources yet' }).waitFor()
  expectNoTrouble()
})
