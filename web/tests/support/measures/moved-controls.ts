import type { Browser, BrowserContextOptions, Page, Route } from 'playwright-core'

import { expect } from 'vitest'
import { openWindow } from '../visitor.ts'

/** Movements of a page while its answers arrived one after another. */
export interface Movement {
  /** Controls that were seen, then moved: name, and by how many pixels to the right and down. */
  controls: string[]
  /** Number of controls that were seen. */
  seen: number
  /** Cumulative Layout Shift, by the browser's own measure. */
  shift: number
}

/** Order in which the answers of the server arrive that a page waits for at the same time. */
type Order = 'first asked, first answered' | 'last asked, first answered'

/** Opens a page whose answers arrive one at a time, and watches its controls. */
export async function watchControls(
  browser: Browser,
  url: string,
  path: string,
  order: Order,
  options: BrowserContextOptions,
): Promise<Movement> {
  const { page, leave } = await openWindow(browser, url, { reducedMotion: 'reduce', ...options })
  try {
    await page.addInitScript(watch)
    const waiting = await holdAnswers(page)
    await page.goto(url + path, { waitUntil: 'load' })
    await answerOneByOne(page, waiting, order)
    // Frames come late on a busy machine: the last one shows what the last answer changed.
    await page.evaluate(() => new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown))))
    return await page.evaluate(() => (window as unknown as { movement: Movement }).movement)
  } finally {
    await leave()
  }
}

async function holdAnswers(page: Page): Promise<Route[]> {
  const waiting: Route[] = []
  await page.route('**/v1/**', (route) => {
    waiting.push(route)
  })
  return waiting
}

/** Lets one request through at a time, until the page shows its heading and has asked nothing for a while. */
async function answerOneByOne(page: Page, waiting: Route[], order: Order): Promise<void> {
  await expect.poll(() => waiting.length, { timeout: 30_000 }).toBeGreaterThan(0)
  for (let quiet = 0; quiet < QUIET_ROUNDS; quiet++) {
    await page.waitForTimeout(ROUND_MS)
    const route = order === 'first asked, first answered' ? waiting.shift() : waiting.pop()
    // A page that still loads its scripts has asked for nothing yet.
    const heading = page.getByRole('heading', { level: 1 }).first()
    if (!route) {
      if (!(await heading.isVisible())) quiet = 0
      continue
    }
    quiet = 0
    await route.continue()
    await route.request().response()
  }
}

const ROUND_MS = 100
const QUIET_ROUNDS = 8

/** Runs in the page, before its own scripts. */
function watch(): void {
  const movement: Movement = { controls: [], seen: 0, shift: 0 }
  Object.assign(window, { movement })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) movement.shift += (entry as unknown as { value: number }).value
  }).observe({ type: 'layout-shift', buffered: true })
  const places = new Map<Element, DOMRect>()
  const look = () => {
    const controls = [...document.querySelectorAll('a[href], button, input, select, textarea')].filter((element) =>
      element.checkVisibility({ visibilityProperty: true }),
    )
    for (const element of places.keys()) if (!controls.includes(element)) places.delete(element)
    for (const element of controls) {
      const box = element.getBoundingClientRect()
      const before = places.get(element)
      places.set(element, box)
      if (!before) movement.seen++
      // Less than half of a line is no miss.
      else if (Math.hypot(box.x - before.x, box.y - before.y) > 8) {
        const name = element.getAttribute('aria-label') ?? element.textContent
        movement.controls.push(
          `${element.tagName} ${name.trim()}: ${Math.round(box.x - before.x)}, ${Math.round(box.y - before.y)}`,
        )
      }
    }
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}
