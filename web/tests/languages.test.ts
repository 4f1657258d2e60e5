import { Docent } from '@docent/sdk'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { runAdmin } from '../../server/tests/support/admin-process.ts'
import { readCatalog, translations } from '../languages/catalog.ts'
import { LANGUAGE_TAGS } from '../languages/languages.ts'
import { startScripted } from './support/demo/scripted.ts'
import { everyPage, PAGES_OF_AN_ACCOUNT, pagesWithoutSession } from './support/every-page.ts'
import { measureFirstLoad } from './support/first-load.ts'
import { joined } from './support/joined.ts'
import { signedIn } from './support/signed-in.ts'
import { type Visitor, visit } from './support/visitor.ts'

const app = startScripted()

async function come(path: string, locale = 'en-US') {
  const visitor = await visit(app.browser, app.server.url, { path, locale })
  onTestFinished(visitor.leave)
  return visitor
}

const language = (page: Page) => page.evaluate(() => document.documentElement.lang)

test('the UI speaks the language of the browser, or the one that is chosen in it', async () => {
  const { page, expectNoTrouble } = await come('/', 'de-AT')
  await page
    .getByRole('button', { name: 'Mit API-Schlüssel anmelden' })
    .or(page.getByLabel('API-Schlüssel'))
    .first()
    .waitFor()
  const choose = page.getByRole('button', { name: 'Mit API-Schlüssel anmelden' })
  if (await choose.isVisible()) await choose.click()
  await page.getByLabel('API-Schlüssel').fill(app.server.apiKey)
  await page.keyboard.press('Enter')
  await page
    .getByRole('navigation', { name: 'Bereiche' })
    .or(page.getByRole('link', { name: 'Ablage' }))
    .first()
    .waitFor()
  expect(await language(page)).toBe('de')

  await page.getByRole('button', { name: 'Inhaber' }).click()
  await page.getByRole('menuitem', { name: 'Sprache' }).click()
  await page.getByRole('dialog').getByRole('combobox').selectOption('Français')
  await page.getByRole('dialog').getByRole('button', { name: 'Speichern' }).click()
  await page.waitForFunction(() => document.documentElement.lang === 'fr')
  await page.reload()
  await page.locator('#page').waitFor()
  expect(await language(page)).toBe('fr')
  expectNoTrouble()
})

test('the language of an account is that of every browser in which it is signed in', async () => {
  const settings = { DATA_DIR: app.server.dataDir, PORT: new URL(app.server.url).port }
  const { url }: { url: string } = await runAdmin(settings, 'sign-in-link')
  const first = await come(url)
  await first.page.getByLabel('E-mail').fill('ada@example.com')
  await first.page.getByLabel('Name').fill('Ada')
  await first.page.getByLabel('Password', { exact: true }).fill('seven kilns glaze at dusk')
  await first.page.getByRole('button', { name: 'Join', exact: true }).click()
  await first.page.locator('#page').waitFor()
  await first.page.goto(`${app.server.url}/settings/account`)
  await first.page.getByRole('button', { name: 'Change', exact: true }).first().click()
  await first.page.getByRole('combobox', { name: 'Language' }).selectOption('Español')
  await first.page.getByRole('button', { name: 'Save' }).click()
  await first.page.waitForFunction(() => document.documentElement.lang === 'es')

  const second = await come('/')
  await second.page.getByLabel('E-mail').fill('ada@example.com')
  await second.page.getByLabel('Password', { exact: true }).fill('seven kilns glaze at dusk')
  await second.page.keyboard.press('Enter')
  await second.page.waitForFunction(() => document.documentElement.lang === 'es')
  await second.page.locator('#page').waitFor()
  expect(await language(second.page)).toBe('es')
})

let pagesOfApp: ReturnType<typeof everyPage> | undefined
/** Pages of the server that all tests of this file share, made once. */
const allPages = () => (pagesOfApp ??= everyPage(new Docent({ baseUrl: app.server.url, apiKey: app.server.apiKey })))

test('every page is whole in another language, and loads little for it', { timeout: 300_000 }, async () => {
  const pages = await allPages()
  const { page } = await signedIn(app.browser, app.server)
  const sizes: Record<string, number> = {}
  for (const tag of LANGUAGE_TAGS.filter((one) => one !== 'en')) {
    await page.evaluate((chosen) => localStorage.setItem('docent.language', chosen), tag)
    const session = await page.context().storageState()
    for (const name of ['new chat', 'chat', 'thread', 'file', 'models', 'API keys'])
      sizes[`${name} in ${tag}`] = (await measureFirstLoad(app.browser, app.server.url, pages[name]!, session)).script
    if (tag !== 'de') continue
    const english = [...translations(await readCatalog(tag))].filter(
      ([text, own]) => text !== own && /[a-z] [a-z]/.test(text),
    )
    const texts = new Set(english.map(([text]) => text))
    for (const [name, path] of Object.entries(pages)) {
      const reply = await page.goto(app.server.url + path, { waitUntil: 'networkidle' })
      // An address that the server does not know would be shown all the same.
      expect({ name, status: reply?.status() }).toEqual({ name, status: 200 })
      const lines = (await page.locator('body').innerText()).split('\n')
      expect({ name, english: lines.filter((line) => texts.has(line.trim())) }).toEqual({ name, english: [] })
    }
  }
  expect(Object.entries(sizes).filter(([, bytes]) => bytes > 200_000)).toEqual([])
})

const PHONE = { width: 375, height: 740 }
const THEMES = ['light', 'dark'] as const

/** Troubles of pages in Arabic, in both themes, by their names. */
async function troublesOf({ page, expectAccessible }: Visitor, pages: Record<string, string>) {
  await page.evaluate(() => localStorage.setItem('docent.language', 'ar'))
  const found: Record<string, unknown> = {}
  for (const [name, path] of Object.entries(pages)) {
    // Between addresses that differ by their fragment alone a browser loads nothing.
    await page.goto('about:blank')
    await page.goto(app.server.url + path, { waitUntil: 'networkidle' })
    await page.waitForFunction(() => document.documentElement.lang === 'ar' && document.querySelector('h1, h2'))
    expect(await page.evaluate(() => document.documentElement.dir), name).toBe('rtl')
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    if (width > PHONE.width) found[name] = `is ${width} px wide`
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme })
      await expectAccessible().catch((error) =>
        Object.assign(found, { [`${name}, ${colorScheme}`]: error.actual ?? error.message }),
      )
    }
  }
  return found
}

test('every page is accessible from right to left, on a narrow screen, in both themes', {
  timeout: 300_000,
}, async () => {
  const pages = await allPages()
  const visitor = await signedIn(app.browser, app.server, { viewport: PHONE })
  expect(await troublesOf(visitor, pages)).toEqual({})
})

test('so are the pages of an account, and those without a session', { timeout: 120_000 }, async () => {
  const member = await joined({ ...app, url: app.server.url }, 'Edith')
  await member.page.setViewportSize(PHONE)
  expect(await troublesOf(member, PAGES_OF_AN_ACCOUNT)).toEqual({})
  const stranger = await come('/')
  await stranger.page.setViewportSize(PHONE)
  expect(await troublesOf(stranger, await pagesWithoutSession(app.docent))).toEqual({})
})
