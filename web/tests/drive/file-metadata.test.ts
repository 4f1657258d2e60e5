import type { DataSource } from '@docent/sdk'
import { expect, test } from 'vitest'
import { driveClient } from '../support/drive.ts'
import { joined } from '../support/joined.ts'
import { signedIn } from '../support/signed-in.ts'
import { startUi } from '../support/ui.ts'

const ui = startUi()

test('metadata of a file is shown and changed, for several files at once, and only read by whoever may only read', async () => {
  const drive = driveClient(ui.docent)
  const folder = await drive.newFolder('Minutes')
  await drive.addFiles(folder, { 'march.txt': 'The budget was agreed.', 'april.txt': 'The roof was mended.' })
  const files = (await drive.docent.dataSources.list(folder)).data_sources as DataSource[]
  const [march, april] = ['march.txt', 'april.txt'].map((title) => files.find((file) => file.title === title)!)
  const metadataOf = async ({ id }: DataSource) => (await drive.docent.dataSources.get(folder, id)).metadata
  await drive.docent.dataSources.update(folder, march!.id, {
    metadata: { department: 'Board', held: '2026-03-31', pages: 12345.5, old: 'x' },
  })

  const path = `/drive/${folder}/${march!.id}`
  const { page, expectAccessible, expectNoTrouble } = await signedIn(ui.browser, ui.docent, { path })
  await page.getByRole('button', { name: 'Metadata 4' }).click()
  const dialog = page.getByRole('dialog', { name: 'Metadata of “march.txt”' })
  expect(await dialog.getByLabel('Value of department').inputValue()).toBe('Board')
  expect(await dialog.getByLabel('Kind of held').inputValue()).toBe('date')
  expect(await dialog.getByLabel('Value of held').inputValue()).toBe('2026-03-31')
  expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Remove old' }).click()
  await dialog.getByLabel('Value of held').fill('2026-04-01')
  const addKey = async (key: string, kind: string) => {
    await dialog.getByRole('button', { name: 'Add a key' }).click()
    await dialog.getByLabel('Name of the key').last().fill(key)
    await dialog.getByLabel(`Kind of ${key}`).selectOption(kind)
  }
  await addKey('final', 'Yes or no')
  await dialog.getByLabel('Value of final').selectOption('Yes')
  await addKey('people', 'List')
  for (const name of ['Ada', 'Bob']) {
    await dialog.getByLabel('Value of people').fill(name)
    await page.keyboard.press('Enter')
  }
  await addKey('votes', 'Number')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Fill this in.').waitFor()
  await dialog.getByLabel('Value of votes').fill('7')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  const saved = {
    department: 'Board',
    held: '2026-04-01',
    pages: 12345.5,
    final: true,
    people: ['Ada', 'Bob'],
    votes: 7,
  }
  expect(await metadataOf(march!)).toEqual(saved)
  await page.getByRole('button', { name: 'Metadata 6' }).waitFor()

  // Two files: what they differ in stays unless one value is given to both.
  await page.goto(`${ui.docent.url}/drive/${folder}`)
  for (const title of ['march.txt', 'april.txt']) await page.getByLabel(`Choose ${title}`).check()
  await page.getByRole('toolbar').getByRole('button', { name: 'Metadata' }).click()
  const both = page.getByRole('dialog', { name: 'Metadata of 2 files' })
  await expect.poll(() => both.getByText('These files differ here').count()).toBe(6)
  await both.getByLabel('Value of department').fill('Works')
  await both.getByRole('button', { name: 'Remove votes' }).click()
  await expectAccessible()
  await both.getByRole('button', { name: 'Save' }).click()
  await both.waitFor({ state: 'detached' })
  const { votes: _, ...kept } = saved
  expect(await metadataOf(march!)).toEqual({ ...kept, department: 'Works' })
  expect(await metadataOf(april!)).toEqual({ department: 'Works' })

  // A refusal of the server is said in the dialog.
  await drive.docent.dataSources.update(folder, april!.id, {
    metadata: Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`key ${n}`, n])),
  })
  await page.reload()
  await page.getByRole('row').getByRole('button', { name: 'Actions for april.txt' }).click()
  await page.getByRole('menuitem', { name: 'Metadata…' }).click()
  const full = page.getByRole('dialog', { name: 'Metadata of “april.txt”' })
  await full.getByRole('button', { name: 'Add a key' }).click()
  await full.getByLabel('Name of the key').last().fill('one more')
  await full.getByLabel('Value of one more').fill('x')
  await full.getByRole('button', { name: 'Save' }).click()
  await full.getByText('must have at most 50 keys').waitFor()
  expectNoTrouble()

  const { id } = (await drive.docent.me()).workspace
  await drive.docent.knowledgeBases.grants.set(folder, [{ kind: 'workspace', id, level: 'read' }])
  const mia = await joined({ browser: ui.browser, url: ui.docent.url, docent: drive.docent }, 'Mia')
  await mia.page.goto(ui.docent.url + path)
  await mia.page.getByRole('button', { name: 'Metadata 5' }).click()
  const told = mia.page.getByRole('dialog', { name: 'Metadata of “march.txt”' })
  await told.getByText('Apr 1, 2026').waitFor()
  await told.getByText('12,345.5').waitFor()
  await told.getByText('Ada and Bob').waitFor()
  expect(await told.getByRole('textbox').count()).toBe(0)
  await mia.expectAccessible()
  mia.expectNoTrouble()
})
