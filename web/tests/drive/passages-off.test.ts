import { expect, test } from 'vitest'
import { driveClient } from '../support/drive.ts'
import { signedIn } from '../support/signed-in.ts'
import { startUi } from '../support/ui.ts'

const ui = startUi()

test('where every passage is switched off the page says so, and a passage is added at the beginning', async () => {
  const drive = driveClient(ui.docent)
  const folder = await drive.newFolder('Recipes')
  await drive.addFiles(folder, { 'bread.txt': 'Bread takes flour.' })
  const [file] = (await drive.docent.dataSources.list(folder)).data_sources
  const path = `/drive/${folder}/${file!.id}`
  const { page, expectAccessible, expectNoTrouble } = await signedIn(ui.browser, ui.docent, { path })
  await page.getByRole('button', { name: 'As Docent reads it' }).click()
  await page.getByRole('button', { name: 'Change passage 1' }).click()
  await page.getByRole('menuitem', { name: 'Switch off' }).click()
  await page.getByRole('heading', { name: 'Every passage is switched off' }).waitFor()
  expect(await page.getByText('found no text that could be searched').count()).toBe(0)
  await expectAccessible()

  const add = async (text: string) => {
    await page.getByRole('button', { name: 'Add a passage at the beginning' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a passage' })
    await dialog.getByLabel('Text').fill(text)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  await add('Flour is weighed first.')
  const passages = page.getByRole('list', { name: 'Passages' }).getByRole('listitem')
  await passages.filter({ hasText: 'Flour is weighed first.' }).waitFor()
  await page.getByRole('button', { name: 'Switch on' }).click()
  await passages.filter({ hasText: 'Bread takes flour.' }).waitFor()
  await add('The oven is heated before.')
  await passages.filter({ hasText: 'The oven is heated before.' }).waitFor()
  const texts = (await drive.docent.dataSources.text(folder, file!.id)).passages.map(({ text }) => text.trim())
  expect(texts.at(-1)).toBe('Bread takes flour.')
  expect(texts.slice(0, 2).sort()).toEqual(['Flour is weighed first.', 'The oven is heated before.'])
  await expectAccessible()
  expectNoTrouble()
})
