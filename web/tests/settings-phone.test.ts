import { Docent } from '@docent/sdk'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from './support/browser.ts'
import { type RunningDocent, startDocent } from './support/docent.ts'
import { signedIn } from './support/signed-in.ts'

let docent: RunningDocent
let browser: Browser

beforeAll(async () => {
  docent = await startDocent({ DOCENT_SAMPLE: 'false' })
  browser = await launchBrowser()
}, 180_000)

afterAll(async () => {
  await browser?.close()
  await docent?.stop()
})

test('on a phone tables of keys, invitations and quotas are no wider than the screen, with their actions', async () => {
  const owner = new Docent({ baseUrl: docent.url, apiKey: docent.apiKey })
  const { id: workspaceId } = (await owner.me()).workspace
  await owner.apiKeys.create(workspaceId, { name: 'A key with a rather long name', role: 'member' })
  await owner.quotas.set(workspaceId, { subject: { type: 'any_virtual_user' }, period: 'day', max_messages: 40 })
  const { page, expectAccessible } = await signedIn(browser, docent, { path: '/settings/keys' })
  await page.setViewportSize({ width: 375, height: 740 })
  for (const [path, name, action] of [
    ['/settings/keys', 'API keys', /^Revoke/],
    ['/settings/members', 'Invitations', /^Revoke/],
    ['/settings/quotas', 'Quotas', /^Delete/],
  ] as const) {
    await page.goto(docent.url + path)
    const table = page.getByRole('region', { name })
    const button = table.getByRole('button', { name: action }).first()
    await button.waitFor()
    const { x, width } = (await button.boundingBox())!
    expect(x + width, name).toBeLessThanOrEqual(375)
    expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), name).toBe(0)
    await expectAccessible()
  }
})
