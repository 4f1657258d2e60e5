import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'

/** Browser window that records every error. */
export interface Visitor {
  page: Page
  /** Fails if the page asked another host, violated its policy, or threw; 401 responses can be allowed. */
  expectNoTrouble(): void
  /** Fails if axe finds an accessibility problem on the page. @param rules names or tags; default: all */
  expectAccessible(rules?: string[]): Promise<void>
  leave(): Promise<void>
}

/** Opens a window of a browser without cookies at `path`. */
export async function visit(
  browser: Browser,
  url: string,
  { path = '/', ...options }: BrowserContextOptions & { path?: string } = {},
): Promise<Visitor> {
  const visitor = await openWindow(browser, url, options)
  await visitor.page.goto(path.startsWith('http') ? path : url + path)
  return visitor
}

/**
 * Opens a window that has no page yet. Its person prefers no motion, since drawing movement takes a tenth of the time of
 * all the UI's tests; those in Firefox see it.
 * @param url of the server, which alone its pages may ask
 */
export async function openWindow(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visitor> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 820 },
    reducedMotion: 'reduce',
    ...options,
  })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const trouble: string[] = []
  page.on('pageerror', (error) => trouble.push(`threw: ${error.message}`))
  page.on('console', (message) => {
    // Failed requests are logged by the browser itself, and may be what a test is about.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      trouble.push(message.text())
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('blob:')) trouble.push(`asked ${request.url()}`)
  })
  return {
    page,
    expectNoTrouble: () => expect(trouble).toEqual([]),
    expectAccessible: (rules) => expectAccessible(page, rules),
    leave: () => context.close(),
  }
}

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
let axeSource: string | undefined
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

async function expectAccessible(page: Page, rules: string[] = RULES): Promise<void> {
  // Once a page: reading its source takes the browser as long as looking at a page.
  if (!(await page.evaluate(() => 'axe' in window)))
    await page.evaluate((axeSource ??= await readFile(axePath, 'utf8')))
  const violations = await page.evaluate(async (runOnly) => {
    // During an animation colours are not final, and one may begin while axe looks: of a part that arrives late, or of
    // a theme, which is laid out with the next frame. The page's policy allows no <style>, but sheets of scripts.
    const still = new CSSStyleSheet()
    still.replaceSync('*, ::before, ::after, ::backdrop { animation: none !important; transition: none !important }')
    document.adoptedStyleSheets = [still]
    for (let frame = 0; frame < 2; frame++) await new Promise((seen) => requestAnimationFrame(seen))
    const { axe } = window as unknown as { axe: typeof import('axe-core') }
    // Places are made out for violations alone.
    const resultTypes: import('axe-core').resultGroups[] = ['violations']
    const found = await axe.run({ resultTypes, runOnly })
    document.adoptedStyleSheets = []
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
  }, rules)
  expect(violations).toEqual([])
}
