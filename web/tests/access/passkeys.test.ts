import { Docent } from '@docent/sdk'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { type RunningDocent, startDocent } from '../support/docent.ts'
import { freePort } from '../support/network/free-port.ts'
import { visit } from '../support/visitor.ts'

const PASSWORD = 'seven kilns glaze at dusk'
let home: string
let docent: RunningDocent
let browser: Browser
let owner: Docent
let workspaceId: string

beforeAll(async () => {
  const port = await freePort()
  home = `http://localhost:${port}`
  docent = await startDocent({ PORT: String(port), DOCENT_PUBLIC_URL: home, DOCENT_SAMPLE: 'false' })
  browser = await launchBrowser()
  owner = new Docent({ baseUrl: docent.url, apiKey: docent.apiKey })
  workspaceId = (await owner.me()).workspace.id
}, 180_000)

afterAll(async () => {
  await browser?.close()
  await docent?.stop()
})

/** Registers a new account, in a browser with a device that makes passkeys and recognizes its owner's fingerprint. */
async function join(name: string) {
  const { url } = await owner.invitations.create({ email: `${name.toLowerCase()}@example.com` })
  const visitor = await visit(browser, home)
  onTestFinished(visitor.leave)
  const { page } = visitor
  const device = await addDevice(page)
  await page.goto(url)
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Join', exact: true }).click()
  await page.getByRole('navigation', { name: 'Sections' }).waitFor()
  return { ...visitor, device }
}

async function addDevice(page: Page) {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    /** Whether somebody touches the device when it asks. */
    touch: (enabled: boolean) => cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
    /** Whether the finger is the owner's. */
    know: (isUserVerified: boolean) => cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    async credentials() {
      return (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials
    },
  }
}

async function addPasskey(page: Page, name: string) {
  await page.goto(`${home}/settings/account`)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Name').fill(name)
  await form.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await form.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: `Rename ${name}` }).waitFor()
}

async function signOut(page: Page, name: string) {
  await page.getByRole('button', { name: new RegExp(name) }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
}

const isSignedIn = (page: Page) => page.getByRole('heading', { name: 'My account' }).waitFor()

test('a passkey is made, named, signs in alone and after the password, and is removed', async () => {
  const { page, device, expectAccessible, expectNoTrouble } = await join('Ada')
  await page.goto(`${home}/settings/account`)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await expectAccessible()
  await page.keyboard.press('Escape')
  await addPasskey(page, 'Laptop')
  expect(await device.credentials()).toMatchObject([{ isResidentCredential: true, rpId: 'localhost' }])
  await expectAccessible()
  await page.getByRole('button', { name: 'Rename Laptop' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Work laptop')
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('button', { name: 'Rename Work laptop' }).waitFor()

  // Nobody touches the device yet: the sign-in page asks for nothing by itself.
  await device.touch(false)
  await signOut(page, 'Ada')
  await expectAccessible()
  await device.touch(true)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await isSignedIn(page)

  await device.touch(false)
  await signOut(page, 'Ada')
  await page.getByLabel('E-mail').fill('ada@example.com')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByText('Your password is right.').waitFor()
  await expectAccessible()
  await device.touch(true)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await isSignedIn(page)

  await page.getByRole('button', { name: 'Remove Work laptop' }).click()
  const form = page.getByRole('dialog')
  await expectAccessible()
  await form.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await form.getByRole('button', { name: 'Remove', exact: true }).click()
  await form.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Rename Work laptop' }).waitFor({ state: 'detached' })
  expectNoTrouble()
})

test('a passkey that the browser offers in the e-mail field signs in without a click on the page', async () => {
  const { page } = await join('Mia')
  await addPasskey(page, 'Phone')
  await page.getByRole('button', { name: /Mia/ }).click()
  // The device of the test takes up the offer at once, as a person does who picks it from the field's list.
  const signedIn = page.waitForResponse((reply) => reply.url().endsWith('/v1/session/passkey') && reply.ok())
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await signedIn
  await isSignedIn(page)
})

test('somebody whom the device does not know is told that no passkey was used', async () => {
  const { page, device } = await join('Noa')
  await addPasskey(page, 'Key')
  await device.know(false)
  await signOut(page, 'Noa')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('alert').getByText('No passkey was used').waitFor()
})

test('a workspace that demands a second factor is satisfied by a passkey', async () => {
  const { page, expectAccessible } = await join('Zoe')
  await owner.members.secondFactor.set(workspaceId, true)
  onTestFinished(async () => {
    await owner.members.secondFactor.set(workspaceId, false)
  })
  await page.reload()
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  const form = page.getByRole('dialog')
  await expectAccessible()
  await form.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('navigation', { name: 'Sections' }).waitFor()
})
