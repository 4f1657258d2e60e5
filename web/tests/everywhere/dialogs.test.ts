import { beforeAll, expect, test } from 'vitest'
import { startScripted } from '../support/demo/scripted.ts'
import { everyPage } from '../support/every-page.ts'
import { signedIn } from '../support/signed-in.ts'

const app = startScripted()

/** Buttons that open dialogs, by the names of their pages. */
const DIALOGS: Record<string, string[]> = {
  projects: ['New project'],
  project: ['Share with people'],
  'agent: actions': ['New shortcut', 'New job'],
  'agent: sharing': ['Who can use it'],
  evaluation: ['New question set'],
  threads: ['Columns'],
  people: ['Add a person'],
  person: ['Edit', 'Merge', 'Erase', 'Change folders'],
  'API keys': ['New key'],
  models: ['Connect a provider'],
  members: ['Invite', 'New group'],
  'sign-in providers': ['Add a provider'],
  webhooks: ['New endpoint'],
  integrations: ['Link a source'],
  quotas: ['New quota'],
}

let pages: Awaited<ReturnType<typeof everyPage>>
beforeAll(async () => {
  pages = await everyPage(app.docent)
})

test.each(Object.entries(DIALOGS))(
  'dialogs of %s are accessible and fit: wide and light, narrow and dark, and from right to left',
  async (name, buttons) => {
    const { page, expectAccessible, expectNoTrouble } = await signedIn(app.browser, app.server)
    const found: Record<string, unknown> = {}
    for (const button of buttons) {
      await page.setViewportSize({ width: 1_280, height: 800 })
      await page.emulateMedia({ colorScheme: 'light' })
      await page.goto(app.server.url + pages[name])
      await page.locator('#page').getByRole('button', { name: button, exact: true }).first().click()
      const dialog = page.locator('dialog[open]')
      await dialog.getByRole('heading').first().waitFor()
      const look = async (how: string) => {
        const cut = await dialog.evaluate((box) =>
          Math.max(box.scrollWidth - box.clientWidth, Math.ceil(box.getBoundingClientRect().width) - innerWidth),
        )
        if (cut > 0) found[`${button}, ${how}`] = `is cut by ${cut} px`
        await expectAccessible().catch((error) =>
          Object.assign(found, { [`${button}, ${how}`]: error.actual ?? error.message }),
        )
      }
      await look('wide')
      await page.setViewportSize({ width: 375, height: 740 })
      await page.emulateMedia({ colorScheme: 'dark' })
      await look('narrow and dark')
      await page.evaluate(() => {
        document.documentElement.dir = 'rtl'
      })
      await look('from right to left')
    }
    expect(found).toEqual({})
    expectNoTrouble()
  },
)
