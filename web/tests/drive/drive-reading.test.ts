import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { type RunningDocent, startDocent } from '../support/docent.ts'
import { driveClient } from '../support/drive.ts'
import { signedIn } from '../support/signed-in.ts'

let docent: RunningDocent
let browser: Browser

beforeAll(async () => {
  docent = await startDocent({ DOCENT_SAMPLE: 'false', DOCENT_INDEXERS: '1' })
  browser = await launchBrowser()
}, 180_000)

afterAll(async () => {
  await browser?.close()
  await docent?.stop()
})

/** 90 MB, which are read in many seconds. */
const LONG = 'A sentence of eight words stands on each line.\n'.repeat(1_900_000)

test('the row and the page of a file show how far its reading is, and end it', async () => {
  const drive = driveClient(docent)
  const folder = await drive.newFolder('Shelf')
  const file_id = await drive.docent.files.upload(new File([LONG], 'long.txt'))
  await drive.docent.dataSources.add(folder, { file_id, data_source_title: 'long.txt' })
  const { page, expectAccessible, expectNoTrouble } = await signedIn(browser, docent, { path: `/drive/${folder}` })
  const row = page.getByRole('row').filter({ hasText: 'long.txt' })
  await row
    .getByText(/^\d+%$/)
    .filter({ visible: true })
    .waitFor({ timeout: 30_000 })
  const isFollowing = page.waitForResponse((reply) => reply.url().endsWith(`/${folder}/events`) && reply.ok())
  await row.getByRole('link', { name: 'long.txt' }).click()
  await isFollowing
  await page.getByRole('progressbar', { name: /Reading|Indexing/ }).waitFor({ timeout: 30_000 })
  await expectAccessible()
  await page.getByRole('button', { name: 'Cancel reading' }).click()
  await page.getByText('Its indexing was cancelled').waitFor()
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await expectAccessible()
  const [file] = (await drive.docent.dataSources.list(folder)).data_sources
  expect(file).toMatchObject({ status: 'failed', indexing: { reason_code: 'CANCELLED' } })
  expectNoTrouble()
})
