import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { driveClient } from '../support/drive.ts'
import { joined } from '../support/joined.ts'
import { signedIn } from '../support/signed-in.ts'
import { startUi } from '../support/ui.ts'

const ui = startUi()

const fileIn = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title })

test('a reader who is taken out of the list of a file no longer sees it; the others do', async () => {
  const drive = driveClient(ui.docent)
  const folder = await drive.newFolder('Recipes')
  await drive.addFiles(folder, { 'bread.txt': 'Bread takes flour.', 'wine.txt': 'Wine takes time.' })
  const join = (name: string) => joined({ browser: ui.browser, url: ui.docent.url, docent: drive.docent }, name)
  const [mia, noa] = [await join('Mia'), await join('Noa')]
  const file = (await drive.docent.dataSources.list(folder)).data_sources.find(
    (one) => 'title' in one && one.title === 'wine.txt',
  )!
  await drive.docent.dataSources.readers.set(folder, file.id, { emails: ['mia@example.com', 'noa@example.com'] })
  const path = `/drive/${folder}`
  for (const { page } of [mia, noa]) {
    await page.goto(ui.docent.url + path)
    await fileIn(page, 'wine.txt').waitFor()
  }

  const { page, expectAccessible, expectNoTrouble } = await signedIn(ui.browser, ui.docent, { path })
  await fileIn(page, 'wine.txt').getByRole('button', { name: 'Actions for wine.txt' }).click()
  await page.getByRole('menuitem', { name: 'Who can read it…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Who can read “wine.txt”' })
  expect(await dialog.getByLabel('Only some of those who can see the folder').isChecked()).toBe(true)
  await dialog.getByText('mia@example.com').waitFor()
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Remove noa@example.com' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect((await drive.docent.dataSources.readers.get(folder, file.id)).readers).toEqual({
    emails: ['mia@example.com'],
    groups: [],
    domains: [],
  })
  await fileIn(page, 'wine.txt').waitFor()

  for (const { page } of [mia, noa]) {
    await page.reload()
    await fileIn(page, 'bread.txt').waitFor()
  }
  expect(await fileIn(mia.page, 'wine.txt').count()).toBe(1)
  expect(await fileIn(noa.page, 'wine.txt').count()).toBe(0)
  expectNoTrouble()
})
