import { once } from 'node:events'
import { createServer } from 'node:http'
import { join as joinPath } from 'node:path'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '../../../web/tests/support/browser.ts'
import { connectApp } from '../support/access/oauth-client.ts'
import { join } from '../support/access/people.ts'
import { startTestApp } from '../support/test-app.ts'

const SDK = joinPath(import.meta.dirname, '../../../node_modules/@modelcontextprotocol/sdk/dist/esm/client')

/** Page of an MCP client, with the protocol's own SDK. */
const PROGRAM = `
import { Client } from '${SDK}/index.js'
import { auth } from '${SDK}/auth.js'
import { StreamableHTTPClientTransport } from '${SDK}/streamableHttp.js'

/** Finds the server's metadata and registers. @returns where it would send the person */
globalThis.logIn = async (url) => {
  const kept = {}
  const redirectUrl = location.origin + '/callback'
  const result = await auth({
    redirectUrl,
    clientMetadata: { client_name: 'Page', redirect_uris: [redirectUrl], token_endpoint_auth_method: 'none' },
    clientInformation: () => kept.client,
    saveClientInformation: (client) => { kept.client = client },
    tokens: () => undefined,
    saveTokens: () => {},
    redirectToAuthorization: (to) => { kept.to = to.href },
    saveCodeVerifier: () => {},
    codeVerifier: () => '',
  }, { serverUrl: url })
  return [result, kept.to]
}

globalThis.listTools = async (url, headers) => {
  const client = new Client({ name: 'page', version: '1.0.0' })
  const errors = []
  client.onerror = (error) => errors.push(error.message)
  try {
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
    const { tools } = await client.listTools()
    await client.transport.terminateSession()
    await client.close()
    return { tools: tools.length, errors }
  } catch (error) {
    return { failure: error.message, errors }
  }
}
`

let browser: Awaited<ReturnType<typeof launchBrowser>>
let script: string

beforeAll(async () => {
  const made = await rolldown({
    input: 'page',
    platform: 'browser',
    logLevel: 'silent',
    plugins: [
      {
        name: 'page',
        resolveId: (id) => (id === 'page' ? id : null),
        load: (id) => (id === 'page' ? PROGRAM : null),
      },
    ],
  })
  const { output } = await made.generate({ format: 'iife', name: 'page', codeSplitting: false })
  await made.close()
  script = output[0].code
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

test('a page of another origin registers, and lists tools with its token, and with no other', async () => {
  const app = await startTestApp()
  await app.call('POST', '/agents', { name: 'Reader' })
  const person = await join(app, { email: 'ada@example.com' })
  const { tokens } = (await connectApp(app, person)).state
  const server = createServer((request, response) => {
    const isScript = request.url === '/page.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? script : '<!doctype html><title>Client</title><script src="/page.js"></script>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const context = await browser.newContext()
  onTestFinished(async () => {
    await context.close()
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as { port: number }
  const page = await context.newPage()
  await page.goto(`http://127.0.0.1:${port}/`)
  const url = `${app.url}/mcp`
  const run = (name: string, ...args: unknown[]) =>
    page.evaluate(([name, args]) => (globalThis as any)[name](...args), [name, args] as [string, unknown[]])

  const [result, to] = await run('logIn', url)
  expect(result).toBe('REDIRECT')
  expect(new URL(to)).toMatchObject({ origin: app.url })
  const listed = await run('listTools', url, { authorization: `Bearer ${tokens.access_token}` })
  expect(listed).toEqual({ tools: expect.any(Number), errors: [] })
  expect(listed.tools).toBeGreaterThan(0)
  const refused = await run('listTools', url, { authorization: 'Bearer dca_nothing' })
  expect(refused.failure).toBeTruthy()
})
