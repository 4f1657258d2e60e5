import type { Browser, BrowserContextOptions } from 'playwright-core'
import { onTestFinished } from 'vitest'
import type { RunningDocent } from './docent.ts'
import { type Visitor, visit } from './visitor.ts'

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
  await page.getByLabel('API key').fill(key)
  await page.keyboard.press('Enter')
  await page.getByRole('main', { name: undefined }).and(page.locator('#page')).waitFor()
  return visitor
}
