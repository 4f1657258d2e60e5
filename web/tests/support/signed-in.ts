import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import type { RunningDocent } from './docent.ts'
import { type Visitor, visit } from './visitor.ts'

/** Signs in with a key at the sign-in page. */
export async function enterKey(page: Page, key: string): Promise<void> {
  const field = page.getByLabel('API key')
  const choose = page.getByRole('button', { name: 'Sign in with an API key' })
  await field.or(choose).first().waitFor()
  if (await choose.isVisible()) await choose.click()
  await field.fill(key)
  await page.keyboard.press('Enter')
}

/** Opens a browser window at `path`, signed in, until the test ends. @param key default: the owner's */
export async function signedIn(
  browser: Browser,
  { url, apiKey }: Pick<RunningDocent, 'url' | 'apiKey'>,
  { path = '/', key = apiKey, ...options }: BrowserContextOptions & { path?: string; key?: string } = {},
): Promise<Visitor> {
  const visitor = await visit(browser, url, options)
  onTestFinished(visitor.leave)
  const { page } = visitor
  await page.goto(url + path)
  await enterKey(page, key)
  await page.getByRole('main', { name: undefined }).and(page.locator('#page')).waitFor()
  return visitor
}
