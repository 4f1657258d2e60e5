import { expect, test } from 'vitest'
import { driveClient } from '../support/drive.ts'
import { signedIn } from '../support/signed-in.ts'
import { startUi } from '../support/ui.ts'

const ui = startUi()

/** Taken for a PDF, and none that can be read. */
const BROKEN = Buffer.from('%PDF-1.7\nnothing of a document')

test('a file gets another content and an earlier one again; what cannot be read leaves the old one found', async () => {
  const drive = driveClient(ui.docent)
  const folder = await drive.newFolder('Shelf')
  await drive.addFiles(folder, { 'kiln.txt': 'A kiln is heated slowly.' })
  const { page, expectAccessible, expectNoTrouble } = await signedIn(ui.browser, ui.docent, {
    path: `/drive/${folder}`,
  })
  const row = page.getByRole('row').filter({ hasText: 'kiln.txt' })
  await row.getByRole('button', { name: 'Actions for kiln.txt' }).click()
  await page.getByRole('menuitem', { name: 'Versions…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Versions of “kiln.txt”' })
  await dialog.getByText('Version 1').waitFor()
  expect(await dialog.getByRole('button', { name: 'Restore version 1' }).count()).toBe(0)
  await dialog.locator('input[type=file]').setInputFiles({ name: 'k.pdf', mimeType: 'application/pdf', buffer: BROKEN })
  await dialog.getByText('Version 2').waitFor()
  await drive.docent.knowledgeBases.waitUntilIndexed(folder)
  await page.reload()
  await row.getByRole('link', { name: 'kiln.txt' }).click()
  await page.getByText('Answers still come from what it read before.').waitFor()
  await page.getByText('Searches still find version 1.').waitFor()
  // Shows the text that is cited, and not the content that nobody can read.
  await page.getByText('A kiln is heated slowly.').waitFor()
  await page.getByRole('button', { name: 'Actions for kiln.txt' }).click()
  await page.getByRole('menuitem', { name: 'Versions…' }).click()
  await dialog.getByText('is found', { exact: true }).waitFor()
  await expectAccessible()
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/versions.png` })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 375, height: 700 })
  await expectAccessible()
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/versions-phone.png` })
  const saved = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download version 1' }).click()
  expect((await saved).suggestedFilename()).toBe('kiln.txt')
  await dialog.getByRole('button', { name: 'Restore version 1' }).click()
  await dialog.getByText('Version 3').waitFor()
  await drive.docent.knowledgeBases.waitUntilIndexed(folder)
  const [file] = (await drive.docent.dataSources.list(folder)).data_sources
  expect(file).toMatchObject({ version: 3, found_version: 3, status: 'successful' })
  expectNoTrouble()
})

test('passages are edited, added and switched off where the file is read, and taken back', async () => {
  const drive = driveClient(ui.docent)
  const folder = await drive.newFolder('Manuals')
  await drive.addFiles(folder, { 'oven.md': '# Oven\n\nAn oven is heated slowly.\n\n# Care\n\nIt is cleaned daily.' })
  const [file] = (await drive.docent.dataSources.list(folder)).data_sources
  const path = `/drive/${folder}/${file!.id}`
  const { page, expectAccessible, expectNoTrouble } = await signedIn(ui.browser, ui.docent, { path })
  await page.getByRole('button', { name: 'As Docent reads it' }).click()
  const passages = page.getByRole('list', { name: 'Passages' })
  await passages.getByText('An oven is heated slowly.').waitFor()
  const change = async (place: number, item: string) => {
    await page.getByRole('button', { name: `Change passage ${place}` }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await change(1, 'Edit…')
  await page.getByRole('dialog').getByLabel('Text').fill('An oven needs twelve hours.')
  await expectAccessible()
  await page.getByRole('button', { name: 'Save' }).click()
  await passages.getByText('An oven needs twelve hours.').waitFor()
  await passages.getByText('edited by hand').waitFor()
  await change(2, 'Add one after it…')
  await page.getByRole('dialog').getByLabel('Text').fill('Wear gloves.')
  await page.getByRole('button', { name: 'Save' }).click()
  await passages.getByText('added by hand').waitFor()
  await change(2, 'Switch off')
  const hidden = page.getByRole('region', { name: 'Manual changes that are not shown below' })
  await hidden.getByText('It is cleaned daily.').waitFor()
  await expectAccessible()
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/passages.png` })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 375, height: 700 })
  await expectAccessible()
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/passages-phone.png` })
  await hidden.getByRole('button', { name: 'Switch on' }).click()
  await passages.getByText('It is cleaned daily.').waitFor()
  await passages.getByRole('listitem').first().getByRole('button', { name: 'Undo' }).click()
  await passages.getByText('An oven is heated slowly.').waitFor()
  expectNoTrouble()
})
