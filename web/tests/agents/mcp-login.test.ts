import { expect, test } from 'vitest'
import { startOAuthMcpServer } from '../../../server/tests/support/mcp/oauth-mcp-server.ts'
import { startScripted } from '../support/demo/scripted.ts'
import { signedIn } from '../support/signed-in.ts'

const app = startScripted({ DOCENT_OUTBOUND_ALLOW: '127.0.0.1/32' })

test('an agent is connected with an MCP server that asks for a login, and disconnected', async () => {
  const mcp = await startOAuthMcpServer()
  const { id } = await app.docent.agents.create({ name: 'Scout', mcp_servers: [{ name: 'desk', url: mcp.url }] })
  const { page, expectAccessible } = await signedIn(app.browser, app.server, { path: `/agents/${id}?part=tools` })
  await page.getByRole('button', { name: /^desk/ }).click()
  await page.getByText('This server asks for a login.').waitFor()
  await expectAccessible()
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/mcp-login.png` })
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  // Pages of the authorization server.
  await page.locator('input[name=login]').fill('ada')
  await page.locator('input[name=password]').fill('any')
  await page.locator('button[type=submit]').click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('The tools of the server are there now.').waitFor()
  expect(page.url()).not.toMatch(/code=|state=/)
  await page.getByRole('button', { name: /^desk/ }).click()
  await page.getByText('Connected by').waitFor()
  await page.getByText('Reachable').waitFor()
  await expectAccessible()
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/mcp-login-2.png` })
  await page.getByRole('button', { name: 'Disconnect' }).click()
  await page.getByText('This server asks for a login.').waitFor()
})
