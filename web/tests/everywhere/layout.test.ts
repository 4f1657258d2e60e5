import { beforeAll, expect, test } from 'vitest'
import { startScripted } from '../support/demo/scripted.ts'
import { everyPage } from '../support/every-page.ts'
import { watchControls } from '../support/measures/moved-controls.ts'
import { signedIn } from '../support/signed-in.ts'

/** Pages whose buttons are below lists and forms that come from the server, each by a request of its own. */
const LISTS_ABOVE_BUTTONS = [
  'project',
  'agent: tools',
  'agent: actions',
  'agent: sharing',
  'API keys',
  'models',
  'members',
  'webhooks',
  'integrations',
]

const app = startScripted()
let pages: Record<string, string>

beforeAll(async () => {
  pages = await everyPage(app.docent)
}, 120_000)

test('no control moves away from a pointer when answers arrive one after another', async () => {
  const { page } = await signedIn(app.browser, app.server)
  const storageState = await page.context().storageState()
  const moved: Record<string, string[]> = {}
  for (const name of LISTS_ABOVE_BUTTONS) {
    // The last request is answered first: of two lists the lower one comes before the upper one.
    const order = 'last asked, first answered'
    const { controls, seen } = await watchControls(app.browser, app.server.url, pages[name]!, order, { storageState })
    expect(seen, `controls of ${name}`).toBeGreaterThan(5)
    if (controls.length > 0) moved[name] = controls
  }
  expect(moved).toEqual({})
}, 240_000)
