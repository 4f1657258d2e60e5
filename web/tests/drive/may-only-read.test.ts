import { expect, test } from 'vitest'
import { driveClient } from '../support/drive.ts'
import { joined } from '../support/joined.ts'
import { startUi } from '../support/ui.ts'

const ui = startUi()

test('whoever may only read a folder is offered nothing that changes it', async () => {
  const drive = driveClient(ui.docent)
  const folder = await drive.newFolder('Recipes')
  const open = await drive.newFolder('Drafts')
  await drive.newFolder('Breads', { parent_kb_id: folder })
  for (const id of [folder, open]) await drive.addFiles(id, { 'bread.txt': 'Bread takes flour.' })
  const { id: workspace } = (await drive.docent.me()).workspace
  await drive.docent.knowledgeBases.grants.set(folder, [{ kind: 'workspace', id: workspace, level: 'read' }])
  const mia = await joined({ browser: ui.browser, url: ui.docent.url, docent: drive.docent }, 'Mia')
  const { page, expectAccessible, expectNoTrouble } = mia
  const openMenu = async (name: string) => {
    await page
      .getByRole('row')
      .getByRole('button', { name: `Actions for ${name}` })
      .click()
    await page.getByRole('menuitem').first().waitFor()
  }
  const offered = () => page.getByRole('menuitem').allTextContents()
  const changes = /Rename|Move|Tags|Delete|Index again/

  // A folder of a list, whose right is asked for with its menu.
  await page.goto(`${ui.docent.url}/drive`)
  await openMenu('Recipes')
  await expect.poll(offered, { timeout: 20_000 }).not.toContainEqual(expect.stringMatching(changes))
  await page.keyboard.press('Escape')

  await page.goto(`${ui.docent.url}/drive/${folder}`)
  await page.getByText('You may read this folder, not change it').waitFor()
  expect(await page.getByRole('button', { name: 'Add', exact: true }).count()).toBe(0)
  for (const name of ['bread.txt', 'Breads']) {
    await openMenu(name)
    expect(await offered()).toContainEqual(expect.stringContaining('Who can'))
    expect(await offered()).not.toContainEqual(expect.stringMatching(changes))
    await page.keyboard.press('Escape')
  }
  await expectAccessible()

  await page.getByRole('main').getByRole('link', { name: 'bread.txt' }).click()
  await page.getByRole('button', { name: 'Actions for bread.txt' }).click()
  expect(await offered()).toContainEqual(expect.stringContaining('Download'))
  expect(await offered()).not.toContainEqual(expect.stringMatching(changes))
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'As Docent reads it' }).click()
  await page.getByRole('list', { name: 'Passages' }).getByText('Bread takes flour.').waitFor()
  expect(await page.getByRole('button', { name: /Change passage|Add a passage/ }).count()).toBe(0)

  // All of it is there in a folder that they may write.
  await page.goto(`${ui.docent.url}/drive/${open}`)
  await page.getByRole('button', { name: 'Add', exact: true }).waitFor()
  await openMenu('bread.txt')
  expect((await offered()).filter((label) => /Rename|Move|Delete|Index again/.test(label))).toHaveLength(4)
  expectNoTrouble()
})
