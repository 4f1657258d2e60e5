import { Docent } from '@docent/sdk'
import { Secret, TOTP } from 'otpauth'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startMailServer } from '../../../server/tests/support/mail-server.ts'
import { runAdmin } from '../../../server/tests/support/processes/admin-process.ts'
import { launchBrowser } from '../support/browser.ts'
import { type RunningDocent, startDocent } from '../support/docent.ts'
import { signedIn } from '../support/signed-in.ts'
import { visit } from '../support/visitor.ts'

const PASSWORD = 'seven kilns glaze at dusk'
const OTHER_PASSWORD = 'ninety clay pots in a row'
let docent: RunningDocent
let browser: Browser
let owner: Docent
let workspaceId: string

beforeAll(async () => {
  docent = await startDocent({ DOCENT_SAMPLE: 'false' })
  browser = await launchBrowser()
  owner = new Docent({ baseUrl: docent.url, apiKey: docent.apiKey })
  workspaceId = (await owner.me()).workspace.id
}, 180_000)

afterAll(async () => {
  await browser?.close()
  await docent?.stop()
})

async function come(path = '/') {
  const visitor = await visit(browser, docent.url, { path })
  onTestFinished(visitor.leave)
  return visitor
}

const adminLink = (...args: string[]): Promise<{ url: string }> =>
  runAdmin({ DATA_DIR: docent.dataDir, PORT: new URL(docent.url).port }, 'sign-in-link', ...args)

async function join(page: Page, { email, name }: { email?: string; name: string }) {
  if (email) await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Join', exact: true }).click()
  await page.getByRole('navigation', { name: 'Sections' }).waitFor()
}

async function signIn(page: Page, email: string, password = PASSWORD) {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
}

test('the owner makes an account with the link, signs out and in, and the link is no secret in the address', async () => {
  const { url } = await adminLink()
  const { page, expectNoTrouble, expectAccessible } = await come(url)
  await page.getByText('Join Main of My organization').waitFor()
  expect(page.url()).toBe(`${docent.url}/join`)
  await expectAccessible()
  await page.getByLabel('E-mail').fill('ada@example.com')
  await page.getByLabel('Name').fill('Ada Lovelace')
  await page.getByLabel('Password', { exact: true }).fill('short')
  await page.getByRole('button', { name: 'Join', exact: true }).click()
  await page.getByRole('alert').getByText('Length in characters: at least 8.').waitFor()
  await page.getByLabel('Password', { exact: true }).fill('lovelace1815')
  await page.getByRole('button', { name: 'Join', exact: true }).click()
  await page.getByRole('alert').getByText('This password is too easy to guess.').waitFor()
  await expectAccessible()
  await join(page, { name: 'Ada Lovelace' })
  await page.getByRole('button', { name: /Ada Lovelace/ }).click()
  await page.getByRole('menuitem', { name: 'My account' }).click()
  await page.getByRole('heading', { name: 'My account' }).waitFor()
  await expectAccessible()
  await page.getByRole('button', { name: /Ada Lovelace/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByLabel('Password', { exact: true }).waitFor()
  await expectAccessible()
  await signIn(page, 'ada@example.com', OTHER_PASSWORD)
  await page.getByRole('alert').getByText('The e-mail or the password is not right.').waitFor()
  await signIn(page, 'ada@example.com')
  await page.getByRole('heading', { name: 'My account' }).waitFor()
  // The link worked once.
  const second = await come(url)
  await second.page.getByRole('alert').getByText('This link is no longer valid').waitFor()
  await second.expectAccessible()
  expectNoTrouble()
})

test('an admin invites into a group, changes the role, and takes somebody out again', async () => {
  const { page, expectNoTrouble, expectAccessible } = await signedIn(browser, docent, { path: '/settings/members' })
  await page.getByRole('button', { name: 'New group' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Sales')
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
  await page.getByRole('table').getByText('Sales').waitFor()
  await page.getByRole('button', { name: 'Invite' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('E-mail').fill('mia@example.com')
  await form.getByRole('checkbox', { name: 'Sales' }).check()
  await expectAccessible()
  await form.getByRole('button', { name: 'Make the link' }).click()
  const made = page.getByRole('dialog', { name: 'The invitation is ready' })
  const url = (await made.getByRole('region', { name: 'The link' }).textContent())!.trim()
  await made.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Revoke the invitation of mia@example.com' }).waitFor()
  await expectAccessible()

  const mia = await come(url)
  const refused: string[] = []
  mia.page.on('response', (response) => response.status() >= 400 && refused.push(response.url()))
  expect(await mia.page.getByLabel('E-mail').inputValue()).toBe('mia@example.com')
  await join(mia.page, { name: 'Mia' })
  await mia.page.getByRole('main').waitFor()
  expect(refused).toEqual([])
  // A member sees no members, keys or usage, and may make folders and agents.
  await mia.page.goto(`${docent.url}/settings/members`)
  await mia.page.getByText('Members are for admins and owners.').waitFor()
  expect(await mia.page.getByRole('link', { name: 'API keys' }).count()).toBe(0)

  await page.reload()
  const row = page.getByRole('row').filter({ hasText: 'mia@example.com' })
  await row.getByText('Sales').waitFor()
  await row.getByRole('button', { name: 'Actions for Mia' }).click()
  await page.getByRole('menuitem', { name: 'Role and groups' }).click()
  await page.getByRole('dialog').getByLabel('Role').selectOption('Admin')
  await expectAccessible()
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await row.getByText('Admin').waitFor()
  await mia.page.reload()
  await mia.page.getByRole('heading', { name: 'Members', exact: true }).waitFor()

  await row.getByRole('button', { name: 'Actions for Mia' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await row.waitFor({ state: 'detached' })
  await mia.page.reload()
  await mia.page
    .getByRole('alert')
    .getByText(/sign in again|ended/)
    .waitFor()
  expectNoTrouble()
})

test('a picture is chosen on the account page, shown to others, and removed', async () => {
  const { url } = await owner.invitations.create({ email: 'ivy@example.com' })
  const { page, expectAccessible, expectNoTrouble } = await come(url)
  await join(page, { name: 'Ivy Green' })
  await page.goto(`${docent.url}/settings/account`)
  const files = page.getByLabel('Choose a picture')
  await files.setInputFiles({ name: 'notes.txt', mimeType: 'image/png', buffer: Buffer.from('no picture') })
  await page.getByText('The browser cannot read this file as a picture').waitFor()
  const drawn = await page.evaluate(async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 600, height: 400 })
    const context = canvas.getContext('2d')!
    context.fillStyle = 'seagreen'
    context.fillRect(0, 0, 600, 400)
    return canvas.toDataURL('image/png').split(',')[1]!
  })
  await files.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.from(drawn, 'base64') })
  const main = page.getByRole('main').locator('img')
  await main.waitFor()
  expect(await main.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(256)
  await page
    .getByRole('button', { name: /Ivy Green/ })
    .locator('img')
    .waitFor()
  await expectAccessible()
  const { page: others } = await signedIn(browser, docent, { path: '/settings/members' })
  await others.getByRole('row').filter({ hasText: 'Ivy Green' }).locator('img').waitFor()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await main.waitFor({ state: 'detached' })
  expectNoTrouble()
})

test('the account page changes the password, ends a session and makes a personal key', async () => {
  const { url } = await owner.invitations.create({ email: 'noa@example.com' })
  const { page, expectNoTrouble, expectAccessible } = await come(url)
  await join(page, { name: 'Noa' })
  const other = await come()
  await signIn(other.page, 'noa@example.com')
  await other.page.getByRole('navigation', { name: 'Sections' }).waitFor()

  await page.goto(`${docent.url}/settings/account`)
  const sessions = page.getByRole('table').filter({ hasText: 'this browser' })
  await sessions.getByRole('button', { name: /^Sign out/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
  await expect.poll(() => sessions.getByRole('row').count()).toBe(2)
  await other.page.reload()
  await other.page.getByLabel('Password', { exact: true }).waitFor()

  await page.getByRole('button', { name: 'Change the password' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Password until now').fill(OTHER_PASSWORD)
  await form.getByLabel('New password').fill(OTHER_PASSWORD)
  await form.getByRole('button', { name: 'Change', exact: true }).click()
  await form.getByText('The password is incorrect.').waitFor()
  await expectAccessible()
  await form.getByLabel('Password until now').fill(PASSWORD)
  await form.getByRole('button', { name: 'Change', exact: true }).click()
  await form.waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'New personal key' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Script')
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
  const made = page.getByRole('dialog', { name: '“Script” is ready' })
  const key = (await made.getByRole('region', { name: 'The new API key' }).textContent())!.trim()
  expect((await new Docent({ baseUrl: docent.url, apiKey: key }).me()).member?.email).toBe('noa@example.com')
  await made.getByRole('button', { name: 'I have saved it' }).click()
  await expectAccessible()
  expectNoTrouble()
})

test('a second factor is set up with a QR code, asked for at the sign-in, and replaced by a recovery code', async () => {
  const { url } = await owner.invitations.create({ email: 'ida@example.com' })
  const { page, expectNoTrouble, expectAccessible } = await come(url)
  await join(page, { name: 'Ida' })
  await page.goto(`${docent.url}/settings/account`)
  await page.getByRole('button', { name: 'Set up', exact: true }).click()
  await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Next' }).click()
  const scan = page.getByRole('dialog', { name: 'Scan with your authenticator app' })
  await scan.getByRole('img', { name: 'QR code for the app' }).waitFor()
  await expectAccessible()
  const secret = (await scan.getByRole('region', { name: 'Secret' }).textContent())!.trim()
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  await scan.getByLabel('Code that the app shows').fill(totp.generate())
  await scan.getByRole('button', { name: 'Turn on' }).click()
  const saved = page.getByRole('dialog', { name: 'Save your recovery codes' })
  const codes = (await saved.getByRole('region', { name: 'Recovery codes' }).textContent())!.trim().split('\n')
  expect(codes).toHaveLength(10)
  await expectAccessible()
  await saved.getByRole('button', { name: 'I have saved them' }).click()
  await page.getByText('10 recovery codes left').waitFor()
  await expectAccessible()

  await page.getByRole('button', { name: /Ida/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await signIn(page, 'ida@example.com')
  await page.getByLabel('Code', { exact: true }).fill('000000')
  await expectAccessible()
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('code is incorrect').waitFor()
  await page.getByRole('button', { name: 'Lost the app?' }).click()
  await page.getByLabel('Recovery code').fill(codes[0]!)
  await expectAccessible()
  await page.keyboard.press('Enter')
  await page.getByText('9 recovery codes left').waitFor()

  const admin = await signedIn(browser, docent, { path: '/settings/members' })
  await admin.page.getByRole('button', { name: 'Actions for Ida' }).click()
  await admin.page.getByRole('menuitem', { name: 'Turn the second factor off' }).click()
  await admin.page.getByRole('dialog').getByRole('heading', { name: 'Turn the second factor of Ida off?' }).waitFor()
  await admin.expectAccessible()

  await page.getByRole('button', { name: 'Turn off' }).click()
  const proof = page.getByRole('dialog')
  await proof.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await proof.getByLabel('Code').fill(codes[1]!)
  await expectAccessible()
  await proof.getByRole('button', { name: 'Turn off' }).click()
  await page.getByRole('button', { name: 'Set up', exact: true }).waitFor()
  expectNoTrouble()
})

test('somebody in two organizations changes between them, and a forgotten password is set by a link', async () => {
  const { url } = await owner.invitations.create({ email: 'zoe@example.com' })
  const { page, expectAccessible } = await come(url)
  await join(page, { name: 'Zoe' })
  const second = await runAdmin({ DATA_DIR: docent.dataDir }, 'create-organization', 'Second house')
  const theirs = new Docent({ baseUrl: docent.url, apiKey: second.api_key })
  const invitation = await theirs.invitations.create({ role: 'admin' })
  await page.goto(invitation.url)
  await page.getByRole('button', { name: 'Join as zoe@example.com' }).click()
  const menu = page.getByRole('button', { name: /Zoe/ })
  await menu.getByText('Second house').waitFor()
  await menu.click()
  await page.getByRole('menuitem', { name: 'My organization · Main' }).click()
  await menu.getByText('My organization').waitFor()

  const { url: forgotten } = await adminLink('--email', 'zoe@example.com')
  await page.goto(forgotten)
  await page.getByLabel('New password').fill(OTHER_PASSWORD)
  await expectAccessible()
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.getByText('The password of zoe@example.com is changed').waitFor()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await signIn(page, 'zoe@example.com', OTHER_PASSWORD)
  await page.getByRole('navigation', { name: 'Sections' }).waitFor()
})

test('where the server sends e-mail, a forgotten password is asked for at the sign-in page', async () => {
  const mails = await startMailServer()
  const server = await startDocent({ DOCENT_SAMPLE: 'false', ...mails.settings })
  onTestFinished(server.stop)
  const theirs = new Docent({ baseUrl: server.url, apiKey: server.apiKey })
  const { page, leave, expectAccessible, expectNoTrouble } = await visit(browser, server.url)
  onTestFinished(leave)
  await page.getByRole('button', { name: 'Forgot the password?' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('E-mail of the account').fill('kim@example.com')
  await expectAccessible()
  await form.getByRole('button', { name: 'Send a link' }).click()
  await form.getByText('If there is an account with kim@example.com').waitFor()
  await expectAccessible()
  expect(mails.mails).toEqual([])
  await theirs.invitations.create({ email: 'kim@example.com' })
  expect(mails.mails).toHaveLength(1)
  await page.goto(/http\S+/.exec(mails.mails[0]!.mail.text!)![0])
  await join(page, { name: 'Kim' })
  expectNoTrouble()
})

test('a workspace that demands a second factor leads its members through the set-up, and on to where they were', async () => {
  const { url } = await owner.invitations.create({ email: 'jon@example.com' })
  const jon = await come(url)
  await join(jon.page, { name: 'Jon' })
  const admin = await signedIn(browser, docent, { path: '/settings/members' })
  onTestFinished(async () => {
    await owner.members.secondFactor.set(workspaceId, false)
  })
  const box = admin.page.getByLabel('Members who sign in with a password need a second factor')
  await box.click()
  const asked = admin.page.getByRole('dialog', { name: 'Demand a second factor?' })
  await asked.getByText('Jon').waitFor()
  await admin.expectAccessible()
  await asked.getByRole('button', { name: 'Demand it' }).click()
  await admin.page.getByText('may do nothing here until they have set one up').waitFor()
  expect(await box.isChecked()).toBe(true)

  const { page, expectAccessible } = jon
  await page.goto(`${docent.url}/drive`)
  await page.getByRole('heading', { name: 'One more step to protect this workspace' }).waitFor()
  await expectAccessible()
  await page.setViewportSize({ width: 375, height: 720 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375)
  await page.getByRole('button', { name: 'Set up a second factor' }).click()
  await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Next' }).click()
  const scan = page.getByRole('dialog', { name: 'Scan with your authenticator app' })
  const secret = (await scan.getByRole('region', { name: 'Secret' }).textContent())!.trim()
  await scan.getByLabel('Code that the app shows').fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate())
  await scan.getByRole('button', { name: 'Turn on' }).click()
  await page.getByRole('button', { name: 'I have saved them' }).click()
  await page.getByRole('heading', { name: 'Drive' }).first().waitFor()
  jon.expectNoTrouble()
  admin.expectNoTrouble()
})
