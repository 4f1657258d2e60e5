// The provider here is a scripted server of OAuth 2.0 and the Drive API v3 as Google documents them, not Google's own.
import { expect, test } from 'vitest'
import { scriptedLogin } from '../../../server/tests/support/access/scripted-login.ts'
import { scriptedApi } from '../../../server/tests/support/http/scripted-api.ts'
import { startScripted } from '../support/demo/scripted.ts'
import { freePort } from '../support/network/free-port.ts'
import { signedIn } from '../support/signed-in.ts'

const claims = Buffer.from(JSON.stringify({ email: 'ada@example.com' })).toString('base64url')
const login = scriptedLogin({ hasPkce: true, extra: { id_token: `x.${claims}.x` } })
const port = await freePort()
const app = startScripted(login.settings('google', `http://127.0.0.1:${port}`))

test('a person connects Google Drive, comes back to the form that they left, and links a folder', async () => {
  const root = { id: 'root', name: 'Handbook', mimeType: 'application/vnd.google-apps.folder' }
  const api = await scriptedApi((request) => {
    const { pathname } = request.url
    if (!pathname.startsWith('/drive/v3')) return login.answer(request)
    if (!login.isLoggedIn(request)) return { status: 401 }
    return { body: pathname.endsWith('/files/root') ? root : { files: [] } }
  }, port)
  const { page, expectAccessible } = await signedIn(app.browser, app.server, { path: '/settings/integrations' })
  const shot = (name: string) =>
    process.env.SHOTS ? page.screenshot({ path: `${process.env.SHOTS}/source-login-${name}.png` }) : undefined
  await page.getByRole('button', { name: 'Link a source' }).first().click()
  await page.getByLabel('Source', { exact: true }).selectOption('google_drive')
  await page.getByLabel('Name of the folder').fill('Handbook')
  await page.getByLabel('Folder', { exact: true }).fill('root')
  await page.getByText('Log in there, and choose what may be read.').waitFor()
  await expectAccessible()
  await page.setViewportSize({ width: 375, height: 800 })
  await shot('375')
  await page.setViewportSize({ width: 1280, height: 800 })
  await shot('before')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByText('Connected as ada@example.com.').waitFor()
  expect(page.url()).not.toMatch(/code=|state=/)
  expect(await page.getByLabel('Name of the folder').inputValue()).toBe('Handbook')
  expect(await page.getByLabel('Folder', { exact: true }).inputValue()).toBe('root')
  await expectAccessible()
  await page.emulateMedia({ colorScheme: 'dark' })
  await shot('after-dark')
  expect(await page.getByLabel('Obey its access lists').isChecked()).toBe(true)
  // The form has no field for the address of the API, which is Google's own.
  const link = page.waitForRequest((request) => request.method() === 'POST' && /\/integrations$/.test(request.url()))
  await page.route(/\/v1\/integrations$/, (route) => {
    const body = route.request().postDataJSON()
    if (!body) return route.continue()
    return route.continue({ postData: { ...body, config: { ...body.config, endpoint: `${api.url}/drive/v3` } } })
  })
  await page.getByRole('button', { name: 'Link it' }).click()
  expect((await link).postDataJSON().config.connection).toMatch(/^[0-9a-f]+$/)
  await page.getByText('In sync').waitFor()
  login.revoke()
  await page.getByRole('button', { name: 'Sync now' }).click()
  await page.getByText('connect again').waitFor()
  await page.getByRole('button', { name: 'Change Handbook' }).click()
  await page.getByText(/^The login of .* has expired\. Connect again\.$/).waitFor()
  await expectAccessible()
  await shot('lost')
  await page.getByLabel('Obey its access lists').uncheck()
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByText('Connected as ada@example.com.').waitFor()
  const saved = page.waitForResponse((reply) => reply.request().method() === 'PATCH')
  await page.getByRole('button', { name: 'Save and sync' }).click()
  expect((await (await saved).json()).data.config.obey_access).toBe(false)
  await page.getByText('In sync').waitFor()
})

test('a password without a user name is told at the name, in the words of the form', async () => {
  const { page } = await signedIn(app.browser, app.server, { path: '/settings/integrations' })
  await page.getByRole('button', { name: 'Link a source' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Source', { exact: true }).selectOption('webdav')
  await form.getByLabel('Name of the folder').fill('Cloud')
  await form.getByLabel('Address').fill('https://cloud.example.com/dav/')
  await form.getByLabel('Password').fill('secret word')
  await form.getByRole('button', { name: 'Link it' }).click()
  await form.getByText('Fill this in, too, or leave “Password” empty.').waitFor()
  await form.getByLabel('User name').and(form.locator(':focus')).waitFor()
})
