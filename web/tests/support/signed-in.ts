import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import type { RunningDocent } from './docent.ts'
import { openWindow, type Visitor, visit } from './visitor.ts'

/** Signs in with a key at the sign-in page. */
export async function enterKey(page: Page, key: string): Promise<void> {
  const field = page.getByLabel('API key')
  const choose = page.getByRole('button', { name: 'Sign in with an API key' })
  await field.or(choose).first().waitFor()
  if (await choose.isVisible()) await choose.click()
  await field.fill(key)
  await page.keyboard.press('Enter')
}

type Address = Pick<RunningDocent, 'url' | 'apiKey'>
type WindowOptions = BrowserContextOptions & { path?: string; key?: string }

/**
 * Opens a browser window at `path`, signed in, until the test ends. The window gets its session by the API call of the
 * sign-in page, which takes as long to load as the page that the test is about.
 * @param key default: the owner's
 */
export async function signedIn(
  browser: Browser,
  { url, apiKey }: Address,
  { path = '/', key = apiKey, ...options }: WindowOptions = {},
): Promise<Visitor> {
  const visitor = await openWindow(browser, url, options)
  onTestFinished(visitor.leave)
  await beginSession(visitor, `${url}/v1/session`, { api_key: key })
  await visitor.page.goto(url + path)
  await mainOf(visitor)
  return visitor
}

/** Signs in like `signedIn`, by hand at the sign-in page, which then leads to `path`. */
export async function signedInByHand(
  browser: Browser,
  { url, apiKey }: Address,
  { path = '/', key = apiKey, ...options }: WindowOptions = {},
): Promise<Visitor> {
  const visitor = await visit(browser, url, { path, ...options })
  onTestFinished(visitor.leave)
  await enterKey(visitor.page, key)
  await mainOf(visitor)
  return visitor
}

/** Posts what begins a session; the window keeps its cookie. */
export async function beginSession(
  { page }: Pick<Visitor, 'page'>,
  url: string,
  body: Record<string, string>,
): Promise<void> {
  const response = await page.context().request.post(url, { data: body, headers: { 'x-docent-session': '1' } })
  if (!response.ok()) throw new Error(`No session: ${response.status()} ${await response.text()}`)
}

const mainOf = ({ page }: Visitor): Promise<void> =>
  page.getByRole('main', { name: undefined }).and(page.locator('#page')).waitFor()
