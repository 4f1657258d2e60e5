import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { type RunningDocent, startDocent } from '../support/docent.ts'
import { driveClient } from '../support/drive.ts'
import { joined } from '../support/joined.ts'
import { signedIn } from '../support/signed-in.ts'

let docent: RunningDocent
let browser: Browser
let drive: ReturnType<typeof driveClient>

beforeAll(async () => {
  browser = await launchBrowser()
}, 180_000)

// A server for each test, and so for each try: people and groups of a first try would be in the way of a second.
beforeEach(async () => {
  docent = await startDocent({ DOCENT_SAMPLE: 'false' })
  drive = driveClient(docent)
}, 180_000)

afterEach(() => docent?.stop())

afterAll(() => browser?.close())

const join = (name: string, groupIds?: string[]) =>
  joined({ browser, url: docent.url, docent: drive.docent }, name, groupIds)

async function openAccess(page: Page, folder: string) {
  await page
    .getByRole('row')
    .getByRole('button', { name: `Actions for ${folder}` })
    .click()
  await page.getByRole('menuitem', { name: 'Who can see it' }).click()
  return page.getByRole('dialog', { name: `Who can see “${folder}”` })
}

test('an admin says who can see a folder, is told the effect before saving, and sees why afterwards', async () => {
  const sales = await drive.docent.groups.create({ name: 'Sales' })
  const mia = await join('Mia', [sales.id])
  await join('Noa')
  const above = await drive.newFolder('Contracts')
  await drive.newFolder('Leases', { parent_kb_id: above })
  const { page, expectAccessible, expectNoTrouble } = await signedIn(browser, docent, { path: '/drive' })

  const dialog = await openAccess(page, 'Contracts')
  const people = dialog.getByRole('list', { name: 'Who can see it' }).getByRole('listitem')
  await people.filter({ hasText: 'Noa' }).getByText('as nothing says otherwise').waitFor()
  expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
  await dialog.getByLabel('Everyone in the workspace').selectOption('No access')
  await dialog.getByLabel('Add a person or group').selectOption('Sales')
  await dialog.getByLabel('Level of Sales').selectOption('Can change')
  const effect = dialog.getByRole('status')
  await effect.getByText('Members without a wider entry here, and API keys of the role member, cannot see it').waitFor()
  await effect.getByText('Each of the group Sales can read it, and add, change and delete').waitFor()
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })

  await page.getByRole('main').getByRole('link', { name: 'Contracts', exact: true }).click()
  const below = await openAccess(page, 'Leases')
  const inherited = below.getByRole('list', { name: 'Who can see it' }).getByRole('listitem')
  const line = (name: string) => inherited.filter({ hasText: name })
  await line('Noa').getByText('No access').waitFor()
  await line('Noa').getByText('by the entry of everyone, inherited from “Contracts”').waitFor()
  await line('Mia').getByText('by the group Sales, inherited from “Contracts”').waitFor()
  await below.getByLabel('Add a person or group').selectOption('Noa')
  await expectAccessible()
  await below.getByRole('button', { name: 'Save' }).click()
  await below.waitFor({ state: 'detached' })
  const again = await openAccess(page, 'Leases')
  await again.getByText('by their own entry, here').waitFor()
  await again.getByRole('button', { name: 'Remove Noa' }).click()
  await again.getByRole('status').getByText('Noa: this entry is removed').waitFor()
  await again.getByRole('button', { name: 'Save' }).click()
  await again.waitFor({ state: 'detached' })
  expect((await drive.docent.knowledgeBases.grants.get(above)).grants).toMatchObject([
    { kind: 'group', name: 'Sales', level: 'write' },
    { kind: 'workspace', level: 'none' },
  ])

  // Somebody who may change the folder and not manage it is told their own right, and who manages it.
  await mia.page.goto(`${docent.url}/drive`)
  const closed = await openAccess(mia.page, 'Contracts')
  await closed.getByText('You do not manage this folder').waitFor()
  await closed.getByRole('listitem').filter({ hasText: 'Mia' }).getByText('by the group Sales, here').waitFor()
  expect(await closed.getByRole('button', { name: 'Save' }).count()).toBe(0)
  await mia.expectAccessible()
  expectNoTrouble()
})

test('on a phone in the dark the dialog has no wider page, and a manager who is no admin uses it', async () => {
  const folderId = await drive.newFolder('Recipes')
  const kim = await join('Kim')
  const { people } = await drive.docent.knowledgeBases.grants.get(folderId)
  const { id } = people.find(({ name }) => name === 'Kim')!
  await drive.docent.knowledgeBases.grants.set(folderId, [{ kind: 'member', id, level: 'manage' }])
  const { page, expectAccessible, expectNoTrouble } = kim
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 375, height: 720 })
  await page.goto(`${docent.url}/drive`)
  const dialog = await openAccess(page, 'Recipes')
  await dialog.getByLabel('Everyone in the workspace').selectOption('Can read')
  await dialog.getByRole('status').getByText('can read it and get answers from it').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375)
  expect(await dialog.evaluate((box) => box.scrollWidth <= box.clientWidth)).toBe(true)
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect((await drive.docent.knowledgeBases.grants.get(folderId)).grants).toMatchObject(
    expect.arrayContaining([expect.objectContaining({ kind: 'workspace', level: 'read' })]),
  )
  expectNoTrouble()
})
