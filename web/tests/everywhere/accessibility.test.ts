import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startScripted } from '../support/demo/scripted.ts'
import { askForReviews, fillWorkspace, startReceiver, workspaceScript } from '../support/demo/workspace-demo.ts'
import { everyPage, PAGES_OF_AN_ACCOUNT, pagesWithoutSession, routeOf, routesOfRouter } from '../support/every-page.ts'
import { joined } from '../support/joined.ts'
import { signedIn } from '../support/signed-in.ts'
import { type Visitor, visit } from '../support/visitor.ts'

const sources = await mkdtemp(join(tmpdir(), 'docent-sources-'))
const app = startScripted({ DOCENT_DIRECTORY_ROOTS: sources, DOCENT_OUTBOUND_ALLOW: '127.0.0.1/32' })
let pages: Record<string, string>
let withoutSession: Record<string, string>

beforeAll(async () => {
  app.script = workspaceScript
  const receiver = await startReceiver()
  try {
    pages = await everyPage(app.docent)
    withoutSession = await pagesWithoutSession(app.docent)
    const { agents } = await app.docent.agents.list()
    await askForReviews(app.docent)
    await fillWorkspace(app.docent, { agentId: agents[0]!.id, receiverUrl: receiver.url, sourceDir: sources })
  } finally {
    receiver.server.close()
  }
})

afterAll(() => rm(sources, { recursive: true }))

test('every route of the UI has a row in the table of pages', async () => {
  const routes = await routesOfRouter()
  const paths = Object.values({ ...pages, ...withoutSession, ...PAGES_OF_AN_ACCOUNT })
  const shown = new Set(paths.map((path) => routeOf(path, routes)))
  expect(routes.filter((route) => !shown.has(route))).toEqual([])
})

const WIDE = { width: 1_280, height: 820 }
const PHONE = { width: 375, height: 740 }
/** Widths at which each page is looked at, by language: English runs from left to right, Arabic from right to left. */
const WIDTHS = { en: [WIDE, PHONE], ar: [PHONE] }
/** Rules on colours, which are all that the dark theme changes. */
const RULES_OF_THEMES = ['color-contrast', 'link-in-text-block']

/** Troubles of pages by their names: each at every width, in both languages and both themes. */
async function troublesOf({ page, expectAccessible }: Visitor, table: Record<string, string>) {
  const found: Record<string, unknown> = {}
  for (const [language, widths] of Object.entries(WIDTHS)) {
    await page.evaluate((chosen) => localStorage.setItem('docent.language', chosen), language)
    for (const [name, path] of Object.entries(table)) {
      // Between addresses that differ by their fragment alone a browser loads nothing.
      await page.goto('about:blank')
      await page.setViewportSize(widths[0]!)
      await page.emulateMedia({ colorScheme: 'light' })
      await page.goto(app.server.url + path, { waitUntil: 'networkidle' })
      await page.waitForFunction(
        (tag) => document.documentElement.lang === tag && document.querySelector('h1, h2'),
        language,
      )
      expect(await page.evaluate(() => document.documentElement.dir), name).toBe(language === 'ar' ? 'rtl' : 'ltr')
      for (const size of widths) {
        await page.setViewportSize(size)
        const width = await page.evaluate(() => document.documentElement.scrollWidth)
        if (width > size.width) found[`${name}, ${language}`] = `is ${width} px wide of ${size.width}`
        for (const theme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme: theme })
          await expectAccessible(theme === 'dark' ? RULES_OF_THEMES : undefined).catch((error) => {
            found[`${name}, ${language}, ${size.width} px, ${theme}`] = error.actual ?? error.message
          })
        }
      }
    }
  }
  return found
}

test('every page is accessible: wide, narrow and from right to left, in both themes', {
  timeout: 1_800_000,
}, async () => {
  expect(await troublesOf(await signedIn(app.browser, app.server), pages)).toEqual({})
})

test('so are the pages of an account, and those without a session', async () => {
  expect(await troublesOf(await joined({ ...app, url: app.server.url }, 'Edith'), PAGES_OF_AN_ACCOUNT)).toEqual({})
  const stranger = await visit(app.browser, app.server.url)
  onTestFinished(stranger.leave)
  expect(await troublesOf(stranger, withoutSession)).toEqual({})
})
