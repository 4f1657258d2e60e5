import { expect, test } from 'vitest'
import { startScripted } from '../support/demo/scripted.ts'
import { everyPage } from '../support/every-page.ts'
import { measureFirstLoad } from '../support/measures/first-load.ts'
import { signedIn } from '../support/signed-in.ts'

const app = startScripted()

test('no page brings more than 200 kB of script to whoever opens it first', async () => {
  const pages = await everyPage(app.docent)
  const { page } = await signedIn(app.browser, app.server)
  const session = await page.context().storageState()
  const sizes: Record<string, number> = {}
  for (const [name, path] of Object.entries(pages))
    sizes[name] = (await measureFirstLoad(app.browser, app.server.url, path, session)).script
  expect(Object.values(sizes).every((bytes) => bytes > 50_000)).toBe(true)
  expect(Object.entries(sizes).filter(([, bytes]) => bytes > 200_000)).toEqual([])
})
