import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  type OpenIdProvider,
  providerSettings,
  startOpenIdProvider,
} from '../../../server/tests/support/access/openid-provider.ts'
import { launchBrowser } from '../support/browser.ts'
import { type RunningDocent, startDocent } from '../support/docent.ts'
import { freePort } from '../support/network/free-port.ts'
import { signedIn } from '../support/signed-in.ts'
import { visit } from '../support/visitor.ts'

let docent: RunningDocent
let browser: Browser
let acme: OpenIdProvider
let strict: OpenIdProvider
/** Not in the environment: it is set up on the settings page. */
let own: OpenIdProvider

beforeAll(async () => {
  const port = await freePort()
  const home = `http://127.0.0.1:${port}`
  const people = {
    mia: { email: 'mia@example.com', email_verified: true, name: 'Mia' },
    eve: { email: 'eve@example.net', email_verified: true, name: 'Eve' },
  }
  acme = await startOpenIdProvider({ id: 'acme', redirectUri: `${home}/sign-in/acme`, people })
  strict = await startOpenIdProvider({ id: 'strict', redirectUri: `${home}/sign-in/strict`, people, isStrict: true })
  own = await startOpenIdProvider({ id: 'our-okta', redirectUri: `${home}/sign-in/our-okta`, people })
  const settings = providerSettings([acme, strict].map((of) => ({ of, fields: { domains: ['example.com'] } })))
  docent = await startDocent({
    PORT: String(port),
    DOCENT_PUBLIC_URL: home,
    DOCENT_SAMPLE: 'false',
    LOG_LEVEL: 'silent',
    ...settings,
    DOCENT_OUTBOUND_ALLOW: `${settings.DOCENT_OUTBOUND_ALLOW},${own.allow}`,
  })
  browser = await launchBrowser()
}, 180_000)

afterAll(async () => {
  await browser?.close()
  await docent?.stop()
  await acme?.close()
  await strict?.close()
  await own?.close()
})

async function come(path = '/') {
  const visitor = await visit(browser, docent.url, { path })
  onTestFinished(visitor.leave)
  return visitor
}

/** Logs in on the provider's own pages. */
async function logIn(page: Page, name: string) {
  await page.getByPlaceholder('Enter any login').fill(name)
  await page.getByPlaceholder('and password').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
}

const home = (page: Page) => page.getByRole('navigation', { name: 'Sections' })

test('somebody signs in with one provider, links the other, and signs in with that', async () => {
  const { page, expectAccessible } = await come('/settings/account')
  await page.getByRole('button', { name: 'Sign in with Acme' }).waitFor()
  await expectAccessible()
  await page.getByRole('button', { name: 'Sign in with Acme' }).click()
  await logIn(page, 'mia')
  // Back on the page that was asked for, without the code in the address.
  await page.getByRole('heading', { name: 'My account' }).waitFor()
  expect(page.url()).toBe(`${docent.url}/settings/account`)
  await page.getByRole('button', { name: 'Link Strict' }).click()
  await logIn(page, 'eve')
  await page.getByRole('button', { name: 'Unlink Strict' }).waitFor()
  await expectAccessible()

  const other = await come()
  await other.page.getByRole('button', { name: 'Sign in with Strict' }).click()
  await logIn(other.page, 'eve')
  await home(other.page).waitFor()
  await other.page.getByRole('button', { name: /Mia/ }).waitFor()
  await page.getByRole('button', { name: 'Unlink Strict' }).click()
  await page.getByRole('button', { name: 'Link Strict' }).waitFor()
})

test('somebody who is not let in is told why, and goes back', async () => {
  const { page, expectAccessible } = await come()
  await page.getByRole('button', { name: 'Sign in with Acme' }).click()
  await logIn(page, 'eve')
  await page.getByRole('alert').getByText('People with an e-mail like eve@example.net are not let in here').waitFor()
  await expectAccessible()
  await page.getByRole('link', { name: 'Back to Docent' }).click()
  await page.getByRole('button', { name: 'Sign in with Acme' }).waitFor()
})

test('an answer that comes to a browser that did not ask signs nobody in, and leads nowhere else', async () => {
  const first = await come()
  await first.page.route(`${docent.url}/v1/session/providers/acme/finish`, (route) => route.abort())
  await first.page.getByRole('button', { name: 'Sign in with Acme' }).click()
  const asked = first.page.waitForRequest((request) => request.url().startsWith(`${docent.url}/sign-in/acme?`))
  await logIn(first.page, 'mia')
  const { pathname, search } = new URL((await asked).url())
  const victim = await come(`${pathname}${search}&return_to=https://evil.example`)
  await victim.page.getByRole('alert').getByText('This sign-in was not begun with this browser').waitFor()
  expect(victim.page.url()).toBe(`${docent.url}/sign-in/acme`)
  await victim.page.goto(docent.url)
  await victim.page.getByRole('button', { name: 'Sign in with Acme' }).waitFor()
  victim.expectNoTrouble()
})

test('an owner sets up a provider on the settings page, and somebody signs in with it at once', async () => {
  const { page, expectAccessible, expectNoTrouble } = await signedIn(browser, docent, { path: '/settings/providers' })
  await page.getByText('Set by the environment').first().waitFor()
  expect(await page.getByRole('button', { name: /^(Change|Remove) (Acme|Strict)$/ }).count()).toBe(0)
  await expectAccessible()

  await page.getByRole('button', { name: 'Add a provider' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Our Okta')
  await dialog.getByText(`${docent.url}/sign-in/our-okta`, { exact: true }).waitFor()
  await dialog.getByLabel('Client id').fill(own.provider.client_id)
  await dialog.getByLabel('Client secret').fill('a wrong secret')
  await dialog.getByLabel('Domains that are let in').fill('example.com')
  // A wrong value is told at its field.
  await dialog.getByLabel('Issuer').fill('http://id.example.com')
  await dialog.getByRole('button', { name: 'Add it' }).click()
  await dialog.getByText('Must be an https URL, as the provider calls itself').waitFor()
  await dialog.getByLabel('Issuer').fill(own.issuer.replace('127.0.0.1', 'localhost'))
  await dialog.getByRole('button', { name: 'Test' }).click()
  await dialog.getByText(/could not be asked|The provider calls itself/).waitFor()
  await dialog.getByLabel('Issuer').fill(own.issuer)
  await dialog.getByRole('button', { name: 'Test' }).click()
  await dialog.getByText('It does not know this client id with this secret.').waitFor()
  await dialog.getByLabel('Client secret').fill(own.provider.client_secret!)
  await dialog.getByRole('button', { name: 'Test' }).click()
  await dialog.getByText('It knows the client.').waitFor()
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Add it' }).click()
  await page.getByRole('heading', { name: 'Our Okta', exact: true }).waitFor()

  const visitor = await come()
  await visitor.page.getByRole('button', { name: 'Sign in with Our Okta' }).click()
  await logIn(visitor.page, 'mia')
  await home(visitor.page).waitFor()

  await page.getByRole('button', { name: 'Change Our Okta' }).click()
  await dialog.getByText('Claims, groups and roles').click()
  await dialog.getByLabel('Claim with groups').fill('groups')
  await dialog.getByLabel('Name').fill('Our Keycloak')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Our Keycloak', exact: true }).waitFor()
  const again = await come()
  await again.page.getByRole('button', { name: 'Sign in with Our Keycloak' }).waitFor()
  await page.getByRole('button', { name: 'Remove Our Keycloak' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByRole('heading', { name: 'Our Keycloak', exact: true }).waitFor({ state: 'detached' })
  await again.page.reload()
  await again.page.getByRole('button', { name: 'Sign in with Acme' }).waitFor()
  expect(await again.page.getByRole('button', { name: 'Sign in with Our Keycloak' }).count()).toBe(0)
  expectNoTrouble()
})

test('an admin makes a token for the directory, which then adds and ends a member', async () => {
  const { page, expectAccessible } = await signedIn(browser, docent, { path: '/settings/members' })
  await page.getByRole('button', { name: 'New SCIM token' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Entra')
  await dialog.getByRole('button', { name: 'Make it' }).click()
  await dialog.getByText('“Entra” is ready').waitFor()
  await expectAccessible()
  const [base, token] = await dialog.locator('pre').allTextContents()
  expect(base).toBe(`${docent.url}/scim/v2`)
  const scim = (method: string, path: string, body?: object) =>
    fetch(base + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
      body: body && JSON.stringify(body),
    })
  await dialog.getByRole('button', { name: 'I have saved it' }).click()
  const made = await scim('POST', '/Users', { userName: 'bo@example.com', displayName: 'Bo Directory' })
  expect(made.status).toBe(201)
  await page.reload()
  await page.getByText('Bo Directory').waitFor()
  await expectAccessible()
  const { id } = (await made.json()) as { id: string }
  expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204)
  await page.getByRole('button', { name: 'Revoke Entra' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click()
  await page.getByRole('button', { name: 'Revoke Entra' }).waitFor({ state: 'detached' })
  await page.reload()
  await page.getByText('mia@example.com').waitFor()
  expect(await page.getByText('Bo Directory').count()).toBe(0)
  expect((await scim('GET', '/Users')).status).toBe(401)
})
