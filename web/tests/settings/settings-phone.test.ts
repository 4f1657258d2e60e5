import { Docent } from '@docent/sdk'
import { expect, test } from 'vitest'
import { signedIn } from '../support/signed-in.ts'
import { startUi } from '../support/ui.ts'

const ui = startUi()

test('on a phone tables of keys, invitations and quotas are no wider than the screen, with their actions', async () => {
  const owner = new Docent({ baseUrl: ui.docent.url, apiKey: ui.docent.apiKey })
  const { id: workspaceId } = (await owner.me()).workspace
  await owner.apiKeys.create(workspaceId, { name: 'A key with a rather long name', role: 'member' })
  await owner.quotas.set(workspaceId, { subject: { type: 'any_virtual_user' }, period: 'day', max_messages: 40 })
  const { page, expectAccessible } = await signedIn(ui.browser, ui.docent, { path: '/settings/keys' })
  await page.setViewportSize({ width: 375, height: 740 })
  for (const [path, name, action] of [
    ['/settings/keys', 'API keys', /^Revoke/],
    ['/settings/members', 'Invitations', /^Revoke/],
    ['/settings/quotas', 'Quotas', /^Delete/],
  ] as const) {
    await page.goto(ui.docent.url + path)
    const table = page.getByRole('region', { name })
    const button = table.getByRole('button', { name: action }).first()
    await button.waitFor()
    const { x, width } = (await button.boundingBox())!
    expect(x + width, name).toBeLessThanOrEqual(375)
    expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), name).toBe(0)
    await expectAccessible()
  }
})
