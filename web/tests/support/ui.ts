import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { launchBrowser } from './browser.ts'
import { type RunningDocent, startDocent } from './docent.ts'

/** Server and browser shared by the tests of a file. */
export interface Ui {
  docent: RunningDocent
  browser: Browser
}

/** Starts a server without its sample and a browser before the tests of a file, and stops both after them. */
export function startUi(): Ui {
  const shared = {} as Ui
  beforeAll(async () => {
    shared.docent = await startDocent({ DOCENT_SAMPLE: 'false' })
    shared.browser = await launchBrowser()
  }, 180_000)
  afterAll(async () => {
    await shared.browser?.close()
    await shared.docent?.stop()
  })
  return shared
}
