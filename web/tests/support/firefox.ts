import { access } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import type { Browser, ConsoleMessage, Page } from 'puppeteer-core'
import { expect } from 'vitest'

/** Names of Debian's packages, and of Mozilla's own. */
const NAMES = ['firefox-esr', 'firefox']

/** Path of the Firefox of this machine, if it has one: `apt-get install firefox-esr` brings it. */
export async function findFirefox(): Promise<string | undefined> {
  for (const folder of (process.env.PATH ?? '').split(delimiter))
    for (const name of NAMES) {
      const path = join(folder, name)
      if (
        await access(path).then(
          () => true,
          () => false,
        )
      )
        return path
    }
  return undefined
}

/** Starts Firefox without a window, driven over WebDriver BiDi, which an unchanged Firefox understands. */
export async function launchFirefox(executablePath: string): Promise<Browser> {
  const { default: puppeteer } = await import('puppeteer-core')
  return puppeteer.launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    defaultViewport: null,
    args: ['--width=1280', '--height=900'],
  })
}

/** Opens a page without a session, and collects what goes wrong in it. */
export async function openPage(browser: Browser): Promise<{ page: Page; trouble: string[] }> {
  const page = await (await browser.createBrowserContext()).newPage()
  page.setDefaultTimeout(60_000)
  const trouble: string[] = []
  page.on('pageerror', (error) => trouble.push(String(error)))
  page.on('console', (message) => {
    if (message.type() !== 'error') return
    // Requests of a page that is left fail in Firefox before its scripts end; what it logs is gone with it.
    void wordsOf(message).then(
      (words) => /NetworkError when attempting/.test(words) || trouble.push(words),
      () => {},
    )
  })
  return { page, trouble }
}

/** Words of what was logged; errors are handles, which their page has to read. */
async function wordsOf(message: ConsoleMessage): Promise<string> {
  const all = await Promise.all(message.args().map((arg) => arg.evaluate(String)))
  return all.length > 0 ? all.join(' ') : message.text()
}

/** Signs in at the sign-in page with a key. */
export async function signInWith(page: Page, { url, apiKey }: { url: string; apiKey: string }): Promise<void> {
  await page.goto(url)
  await click(page, 'button', 'Sign in with an API key')
  await see(page, 'form', 'API key')
  await page.keyboard.type(apiKey)
  await page.keyboard.press('Enter')
}

/** Gives a page a file as if it were dropped in its middle. */
export const dropFile = (page: Page, name: string, text: string): Promise<void> =>
  page.evaluate(
    (fileName, content) => {
      const data = new DataTransfer()
      data.items.add(new File([content], fileName, { type: 'text/plain' }))
      const at = document.elementFromPoint(innerWidth / 2, innerHeight / 2) ?? document.body
      for (const type of ['dragenter', 'dragover', 'drop'])
        at.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data }))
    },
    name,
    text,
  )

/**
 * Waits until an element is shown whose text or label holds the words. Asked from outside: Puppeteer's own waiting
 * evaluates strings, which the page's policy forbids.
 * @returns its text, and its middle
 */
export async function see(page: Page, selector: string, words = ''): Promise<{ text: string; x: number; y: number }> {
  const look = () => page.evaluate(lookAt, selector, words)
  await expect.poll(look, { timeout: 30_000, message: `${selector} “${words}”` }).not.toBeNull()
  return (await look())!
}

/**
 * Runs in the page: text and middle of the first shown element of a selector that holds the words, and whether something
 * covers it; null without one.
 */
function lookAt(css: string, wanted: string, intoView = false) {
  const found = [...document.querySelectorAll(css)].find(
    (one) =>
      one.checkVisibility({ visibilityProperty: true }) &&
      `${one.getAttribute('aria-label') ?? ''} ${one.textContent}`.includes(wanted),
  )
  if (!found) return null
  if (intoView) found.scrollIntoView({ block: 'nearest' })
  const box = found.getBoundingClientRect()
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const top = document.elementFromPoint(x, y)
  return { text: found.textContent ?? '', x, y, isCovered: !found.contains(top) && !top?.contains(found) }
}

/**
 * Clicks on an element with the mouse, once it is in view, stands still, and nothing covers it. What has moved before
 * the mouse came down is aimed at again: the page never sees a click that hits something else.
 */
export async function click(page: Page, selector: string, words = ''): Promise<void> {
  let before = ''
  const hit = async () => {
    await page.evaluate(holdStrayClicks, selector, words)
    const seen = await page.evaluate(lookAt, selector, words, true)
    const [last, now] = [before, `${seen?.x} ${seen?.y}`]
    before = now
    if (!seen || seen.isCovered || last !== now) return false
    await page.mouse.click(seen.x, seen.y)
    // A click that led to another document has hit.
    return page.evaluate(() => document.documentElement.dataset.strayClick !== 'held').catch(() => true)
  }
  await expect.poll(hit, { timeout: 30_000, message: `${selector} “${words}” can be clicked` }).toBe(true)
}

/** Runs in the page: keeps the next click from everything but elements of a selector that hold the words. */
function holdStrayClicks(css: string, wanted: string) {
  const root = document.documentElement
  delete root.dataset.strayClick
  document.dispatchEvent(new Event('click-awaited'))
  const held = new AbortController()
  document.addEventListener('click-awaited', () => held.abort(), { once: true })
  for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'])
    document.addEventListener(
      type,
      (event) => {
        const hit = event.composedPath().some((one) => {
          if (!(one instanceof Element)) return false
          return one.matches(css) && `${one.getAttribute('aria-label') ?? ''} ${one.textContent}`.includes(wanted)
        })
        if (type === 'pointerdown' && !hit) root.dataset.strayClick = 'held'
        if (root.dataset.strayClick) {
          event.preventDefault()
          event.stopImmediatePropagation()
        }
      },
      { capture: true, signal: held.signal },
    )
}

/** Types into the field with a label, of the open dialog if there is one, in place of what it holds. */
export async function fill(page: Page, label: string, text: string): Promise<void> {
  const focus = () =>
    page.evaluate((wanted) => {
      const top = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document
      const found = [...top.querySelectorAll<HTMLInputElement>('input, textarea, select')].find(
        (field) =>
          field.getAttribute('aria-label')?.startsWith(wanted) ||
          [...(field.labels ?? [])].some((one) => one.textContent.startsWith(wanted)),
      )
      found?.focus()
      if (found && 'select' in found) found.select()
      return found !== undefined
    }, label)
  await expect.poll(focus, { timeout: 30_000, message: `field “${label}”` }).toBe(true)
  await page.keyboard.type(text)
}

/** Waits until no element of a selector is there. */
export const gone = (page: Page, selector: string): Promise<void> =>
  expect.poll(() => page.evaluate((css) => document.querySelector(css), selector), { timeout: 30_000 }).toBeNull()
