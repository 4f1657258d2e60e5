import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { type RunningDocent, startDocent } from '../support/docent.ts'
import { driveClient } from '../support/drive.ts'
import { joined } from '../support/joined.ts'
import { signedIn } from '../support/signed-in.ts'

let docent: RunningDocent
let browser: Browser
let client: ReturnType<typeof driveClient>['docent']

beforeAll(async () => {
  docent = await startDocent({ DOCENT_SAMPLE: 'false' })
  browser = await launchBrowser()
  client = driveClient(docent).docent
}, 180_000)

afterAll(async () => {
  await browser?.close()
  await docent?.stop()
})

const join = (name: string, groupIds?: string[]) => joined({ browser, url: docent.url, docent: client }, name, groupIds)

test('an admin says who can use an agent, is told the effect before saving, and sees why afterwards', async () => {
  const payroll = await client.groups.create({ name: 'Payroll' })
  const mia = await join('Mia', [payroll.id])
  const noa = await join('Noa')
  const agent = await client.agents.create({ name: 'Wages', model: 'builtin/extractive' })
  const seenBy = async ({ page }: typeof mia) => {
    await page.goto(`${docent.url}/agents`)
    await page.getByRole('heading', { name: 'Agents' }).first().waitFor()
    return page.getByRole('link', { name: 'Wages' }).first()
  }
  await (await seenBy(noa)).waitFor()

  const { page, expectAccessible, expectNoTrouble } = await signedIn(browser, docent, {
    path: `/agents/${agent.id}?part=sharing`,
  })
  await page.getByText('Everyone in this workspace may use it.').waitFor()
  await page.getByRole('button', { name: 'Who can use it' }).click()
  const dialog = page.getByRole('dialog', { name: 'Who can use “Wages”' })
  const people = dialog.getByRole('list', { name: 'Who can use it' }).getByRole('listitem')
  await people.filter({ hasText: 'Noa' }).getByText('as everyone may').waitFor()
  expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
  await dialog.getByLabel('Everyone in the workspace').selectOption('No access')
  await dialog.getByLabel('Add a person or group').selectOption('Payroll')
  const effect = dialog.getByRole('status')
  await effect.getByText('Members who are not named here lose it').waitFor()
  await effect.getByText('Each of the group Payroll can use it.').waitFor()
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Only the group Payroll and the admins may use it.').waitFor()

  await (await seenBy(mia)).waitFor()
  expect(await (await seenBy(noa)).count()).toBe(0)
  await noa.page.goto(`${docent.url}/agents/${agent.id}?part=sharing`)
  await noa.page.getByText('This agent is not here').waitFor()

  await page.getByRole('button', { name: 'Who can use it' }).click()
  await people.filter({ hasText: 'Mia' }).getByText('by the group Payroll').waitFor()
  await people.filter({ hasText: 'Noa' }).getByText('No access').waitFor()
  await dialog.getByLabel('Add a person or group').selectOption('Noa')
  await dialog.getByLabel('Rights of Noa').selectOption('Can change')
  await effect.getByText('Noa can use and change it.').waitFor()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await (await seenBy(noa)).waitFor()
  expect((await client.agents.grants.get(agent.id)).grants).toContainEqual(
    expect.objectContaining({ name: 'Noa', level: 'edit' }),
  )
  expectNoTrouble()
})

test('on a phone in the dark the dialog has no wider page, and the member who made the agent uses it', async () => {
  const kim = await join('Kim')
  const { page, expectAccessible, expectNoTrouble } = kim
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 375, height: 720 })
  const made = await page.request.post(`${docent.url}/v1/agents`, {
    data: { name: 'Diary', model: 'builtin/extractive' },
    headers: { 'sec-fetch-site': 'same-origin' },
  })
  const { data } = await made.json()
  await page.goto(`${docent.url}/agents/${data.id}?part=sharing`)
  await page.getByRole('button', { name: 'Who can use it' }).click()
  const dialog = page.getByRole('dialog', { name: 'Who can use “Diary”' })
  await dialog.getByText('as the one who made it').waitFor()
  await dialog.getByLabel('Everyone in the workspace').selectOption('No access')
  await dialog.getByRole('status').getByText('Members who are not named here lose it').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375)
  expect(await dialog.evaluate((box) => box.scrollWidth <= box.clientWidth)).toBe(true)
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Only Kim and the admins may use it.').waitFor()
  expectNoTrouble()
})
