import { Docent } from '@docent/sdk'
import type { Browser } from 'puppeteer-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningDocent, startDocent } from './support/docent.ts'
import { click, dropFile, findFirefox, launchFirefox, openPage, see, signInWith } from './support/firefox.ts'

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
    const { page, trouble } = await openPage(browser)
    await signInWith(page, docent)
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

test.skipIf(!path)(
  `Firefox: drafts, palette, menus, dialogs, right-to-left text and unknown addresses${why}`,
  async () => {
    const api = new Docent({ baseUrl: docent.url, apiKey: docent.apiKey })
    const agent = await api.agents.create({ name: 'Keeper' })
    const chat = await api.chats.create(agent.id, { title: 'The lamp' })
    await api.chats.query(agent.id, chat.id, { query: 'How often does it turn?' })
    const { page, trouble } = await openPage(browser)
    await signInWith(page, docent)
    await see(page, '#page h1')
    await page.goto(`${docent.url}/chat/${agent.id}`)
    await click(page, 'textarea')
    await page.keyboard.type('كم مرة يدور المصباح؟')
    const box = () =>
      page.evaluate(() => {
        const field = document.querySelector('textarea')!
        return { text: field.value, direction: getComputedStyle(field).direction }
      })
    expect(await box()).toEqual({ text: 'كم مرة يدور المصباح؟', direction: 'rtl' })

    await page.keyboard.down('Control')
    await page.keyboard.press('k')
    await page.keyboard.up('Control')
    await see(page, 'dialog', '')
    await page.keyboard.type('People')
    await see(page, '[role=option]', 'People')
    await page.keyboard.press('Enter')
    await see(page, 'h1', 'People')
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('page')
    await page.goto(`${docent.url}/chat/${agent.id}`)
    await see(page, 'textarea')
    await expect.poll(async () => (await box()).text).toBe('كم مرة يدور المصباح؟')

    // A dialog asks before it throws away what was typed.
    await page.goto(`${docent.url}/settings/keys`)
    await click(page, 'main button', 'New key')
    await see(page, 'dialog[open] input')
    await click(page, 'dialog[open] input')
    await page.keyboard.type('Ticket shop')
    await page.keyboard.press('Escape')
    await click(page, 'dialog[open] button', 'Keep editing')
    const typed = () => page.evaluate(() => document.querySelector<HTMLInputElement>('dialog[open] input')?.value)
    await expect.poll(typed).toBe('Ticket shop')
    // So does a selection that ends beside it.
    const { x, y } = await see(page, 'dialog[open] input')
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(5, 300)
    await page.mouse.up()
    expect(await typed()).toBe('Ticket shop')

    await page.goto(`${docent.url}/chat/${agent.id}/${chat.id}`)
    await click(page, 'main button[aria-haspopup=menu]', 'Actions for The lamp')
    await see(page, '[role=menu]', 'Delete')
    await page.keyboard.press('d')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Delete')
    await page.keyboard.press('Escape')

    const reply = await page.goto(`${docent.url}/nothing/here`)
    expect(reply?.status()).toBe(404)
    await see(page, 'h1, h2', 'There is no such page')

    await page.evaluate(() => localStorage.setItem('docent.language', 'ar'))
    await page.goto(`${docent.url}/drive`)
    await see(page, 'h1')
    expect(await page.evaluate(() => document.documentElement.dir)).toBe('rtl')
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    expect(trouble.filter((text) => !/404|Not Found/.test(text))).toEqual([])
  },
)
