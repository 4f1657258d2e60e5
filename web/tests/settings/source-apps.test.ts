import { expect, test } from 'vitest'
import { startScripted } from '../support/demo/scripted.ts'
import { signedIn } from '../support/signed-in.ts'

const google = { provider: 'google', client_id: 'of-the-server', client_secret: 'secret-of-the-server' }
const app = startScripted({ DOCENT_SOURCE_APPS: JSON.stringify([google]) })

test('an admin adds an app at a provider, changes and removes it; one of the environment is only shown', async () => {
  const { page, expectAccessible } = await signedIn(app.browser, app.server, { path: '/settings/integrations' })
  const shot = (name: string) =>
    process.env.SHOTS ? page.screenshot({ path: `${process.env.SHOTS}/source-apps-${name}.png` }) : undefined
  await page.getByText('Set by the environment').waitFor()
  await page.getByText('of-the-server').waitFor()
  expect(await page.getByRole('button', { name: 'Change Google' }).count()).toBe(0)

  await page.getByRole('button', { name: 'Add an app' }).click()
  const provider = page.getByLabel('Provider')
  await provider.waitFor()
  expect(await provider.locator('option').allTextContents()).toEqual(['Microsoft', 'Notion', 'Atlassian', 'Slack'])
  await page.getByLabel('Client id').fill('docent-app')
  await page.getByLabel('Client secret').fill('secret-of-the-app')
  await page.getByLabel('Tenant').fill('not a tenant')
  await page.getByRole('button', { name: 'Add it' }).click()
  await page.getByText('must be the id or the domain of a tenant').waitFor()
  await expectAccessible()
  await page.setViewportSize({ width: 375, height: 800 })
  await shot('375')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByLabel('Tenant').fill('example.com')
  await page.getByRole('button', { name: 'Add it' }).click()
  await page.getByText('docent-app · example.com · secret …-app').waitFor()
  await expectAccessible()
  await shot('list')

  await page.getByRole('button', { name: 'Change Microsoft' }).click()
  expect(await page.getByLabel('Client secret').inputValue()).toBe('')
  await page.getByText('ends with …-app').waitFor()
  await page.getByLabel('Client id').fill('another-app')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('must be given again for another app').waitFor()
  await page.getByLabel('Client secret').fill('another-secret')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('another-app · example.com · secret …cret').waitFor()

  await page.getByRole('button', { name: 'Remove Microsoft' }).click()
  await page.getByText('keep their files, and ask for a new login').waitFor()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect.poll(() => page.getByText('another-app').count()).toBe(0)
  await page.getByText('of-the-server').waitFor()
})
