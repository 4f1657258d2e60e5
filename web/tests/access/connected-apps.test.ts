import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { auth, newProvider } from '../../../server/tests/support/access/oauth-client.ts'
import { startScripted } from '../support/demo/scripted.ts'
import { joined } from '../support/joined.ts'

const app = startScripted()

/** Page of a client on this machine, and the queries with which browsers came back to it. */
async function startClient() {
  const queries: URLSearchParams[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url!, 'http://client')
    if (url.pathname === '/callback') queries.push(url.searchParams)
    response.setHeader('content-type', 'text/html').end('<title>Client</title><main><h1>Back at the client</h1></main>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { redirectUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`, queries }
}

test('a person lets an app act for them with one agent, sees it in their account, and disconnects it', async () => {
  const { id: keeper } = await app.docent.agents.create({ name: 'Keeper' })
  await app.docent.agents.create({ name: 'Scout' })
  const { redirectUrl, queries } = await startClient()
  const clientMetadata = { client_name: 'Assistant', redirect_uris: [redirectUrl] }
  const { provider, state } = newProvider({ redirectUrl, clientMetadata })
  const serverUrl = `${app.server.url}/mcp`
  await auth(provider, { serverUrl })

  const { page, expectAccessible } = await joined({ ...app, url: app.server.url }, 'Ada')
  await page.context().clearCookies()
  await page.goto(state.url.href)
  // A person who is not signed in does so first, and is then where they wanted to be.
  await page.getByLabel('E-mail').fill('ada@example.com')
  await page.getByLabel('Password', { exact: true }).fill('seven kilns glaze at dusk')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Let Assistant act for you?' }).waitFor()
  await page.getByText('ada@example.com').waitFor()
  await page.getByText(`Afterwards you are sent to a program on this device (${new URL(redirectUrl).host}).`).waitFor()
  await expectAccessible()
  await page.getByLabel('Only some').check()
  const allow = page.getByRole('button', { name: 'Allow' })
  expect(await allow.isDisabled()).toBe(true)
  await page.getByLabel('Keeper').check()
  await expectAccessible()
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/consent.png` })
  await allow.click()
  await page.getByText('Back at the client').waitFor()
  await auth(provider, { serverUrl, authorizationCode: queries[0]!.get('code')! })
  expect(state.tokens.scope).toBe('agents documents')
  const listed = await fetch(serverUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${state.tokens.access_token}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  })
  expect((await listed.json()).result.tools.map(({ name }: { name: string }) => name)).toEqual(['keeper'])
  expect(keeper).toHaveLength(24)

  await page.goto(`${app.server.url}/settings/account`)
  await page.getByRole('cell', { name: /^Assistant/ }).waitFor()
  await expectAccessible()
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/apps.png`, fullPage: true })
  await page.getByRole('button', { name: 'Disconnect Assistant' }).click()
  await page.getByRole('button', { name: 'Disconnect', exact: true }).click()
  await page.getByText('No app is connected.').waitFor()

  // Faults of a request are told here, and the browser goes nowhere.
  await page.goto(state.url.href.replace('S256', 'plain'))
  await page.getByText(/PKCE is needed/).waitFor()
  await expectAccessible()
  await page.goto(state.url.href)
  await page.getByRole('button', { name: 'Refuse' }).click()
  await page.getByText('Back at the client').waitFor()
  expect(queries[1]!.get('error')).toBe('access_denied')
  const headers = (await fetch(state.url)).headers
  expect([headers.get('x-frame-options'), headers.get('content-security-policy')]).toEqual([
    'DENY',
    expect.stringContaining("frame-ancestors 'none'"),
  ])
})

test('a program without a browser is let in by the code that it shows', async () => {
  const post = async (path: string, fields: Record<string, string>) => {
    const body = new URLSearchParams({ client_id: 'docent-cli', ...fields })
    return (await fetch(`${app.server.url}/oauth/${path}`, { method: 'POST', body })).json()
  }
  const { device_code, user_code, verification_uri } = await post('device_authorization', {})
  const { page, expectAccessible } = await joined({ ...app, url: app.server.url }, 'Grace')
  await page.goto(verification_uri)
  await page.getByLabel('Code').fill('BCDF-BCDF')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText(/This code is not known/).waitFor()
  await expectAccessible()
  await page.getByLabel('Code').fill(` ${user_code.toLowerCase().replace('-', ' ')}`)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Let Docent CLI act for you?' }).waitFor()
  await page.getByText(`shows the code ${user_code}.`).waitFor()
  await expectAccessible()
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/device.png` })
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByRole('heading', { name: 'Docent CLI is connected' }).waitFor()
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
  const { access_token } = await post('token', { grant_type, device_code })
  const me = await fetch(`${app.server.url}/v1/me`, { headers: { authorization: `Bearer ${access_token}` } })
  expect((await me.json()).data.member.name).toBe('Grace')
})
