import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  type OpenIdProvider,
  providerSettings,
  startOpenIdProvider,
} from '../../server/tests/support/openid-provider.ts'
import { launchBrowser } from './support/browser.ts'
import { type RunningDocent, startDocent } from './support/docent.ts'
import { visit } from './support/visitor.ts'

let docent: RunningDocent
let browser: Browser
let acme: OpenIdProvider
let strict: OpenIdProvider

/** Providers have to know the address of the server before it starts. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

beforeAll(async () => {
  const port = await freePort()
  const home = `http://127.0.0.1:${port}`
  const people = {
    mia: { email: 'mia@example.com', email_verified: true, name: 'Mia' },
    eve: { email: 'eve@example.net', email_verified: true, name: 'Eve' },
  }
  acme = await startOpenIdProvider({ id: 'acme', redirectUri: `${home}/sign-in/acme`, people })
  strict = await startOpenIdProvider({ id: 'strict', redirectUri: `${home}/sign-in/strict`, people, isStrict: true })
  docent = await startDocent({
    PORT: String(port),
    DOCENT_PUBLIC_URL: home,
    DOCENT_SAMPLE: 'false',
    LOG_LEVEL: 'silent',
    ...providerSettings([acme, strict].map((of) => ({ of, fields: { domains: ['example.com'] } }))),
  })
  browser = await launchBrowser()
}, 180_000)

afterAll(async () => {
  await browser?.close()
  await docent?.stop()
  await acme?.close()
  await strict?.close()
})

async function come(path = '/') {
  const visitor = await visit(browser, docent.url)
  onTestFinished(visitor.leave)
  await visitor.page.goto(docent.url + path)
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
