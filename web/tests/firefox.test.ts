import type { Browser } from 'puppeteer-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningDocent, startDocent } from './support/docent.ts'
import { click, dropFile, findFirefox, launchFirefox, see } from './support/firefox.ts'

const HANDBOOK = `# Lighthouse handbook

## The lamp
The lamp is lit at sunset and must turn once every twelve seconds, which sailors know as the sign of this coast.

## The boat
The supply boat comes on the first Tuesday of each month.
`

const path = await findFirefox()
const why = path ? '' : ' (skipped: this machine has no Firefox; apt-get install firefox-esr brings one)'

let docent: RunningDocent
let browser: Browser

beforeAll(async () => {
  if (!path) return
  docent = await startDocent()
  browser = await launchFirefox(path)
}, 180_000)

afterAll(async () => {
  await browser?.close()
  await docent?.stop()
})

test.skipIf(!path)(
  `Firefox: from signing in and a dropped document to a cited answer and its source${why}`,
  async () => {
    const page = await browser.newPage()
    page.setDefaultTimeout(60_000)
    const trouble: string[] = []
    page.on('pageerror', (error) => trouble.push(String(error)))
    page.on('console', (message) => {
      if (message.type() === 'error') trouble.push(message.text())
    })
    await page.goto(docent.url)
    await click(page, 'button', 'Sign in with an API key')
    await see(page, 'form', 'API key')
    await page.keyboard.type(docent.apiKey)
    await page.keyboard.press('Enter')
    await see(page, 'h1, h2', 'Drop your documents. Ask.')

    await dropFile(page, 'lighthouse-handbook.md', HANDBOOK)
    await see(page, 'main', 'lighthouse-handbook.md')
    await click(page, 'textarea')
    await page.keyboard.type('How often must the lamp turn?')
    await page.keyboard.press('Enter')
    await see(page, 'article', 'every twelve seconds')

    await click(page, 'article button[aria-haspopup=dialog]', 'Source')
    expect((await see(page, '[role=dialog] mark')).text).toContain('every twelve seconds')
    await click(page, '[role=dialog] a', 'Open')
    await see(page, 'section[aria-label="Cited passage"]', 'every twelve seconds')
    // Firefox marks the passage in the document, too.
    const marked = () =>
      page.evaluate(() => [...(CSS.highlights.get('passage') ?? [])].map((range) => String(range as Range)).join(''))
    await expect.poll(marked, { timeout: 20_000 }).toContain('must turn once every twelve seconds')
    expect(trouble).toEqual([])
  },
)
