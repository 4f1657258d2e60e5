import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { expectError, request } from '../support/api.ts'
import { keyedRoutes, pathWith, type Route } from '../support/routes.ts'
import { target } from '../support/target.ts'
import { freshId, ID } from '../support/values.ts'

/** Runs a check for each route that wants a key, and names those that do not hold. */
async function expectOfEach(check: (route: Route, url: string) => Promise<void>): Promise<void> {
  expect(keyedRoutes.length).toBeGreaterThan(20)
  const failures: string[] = []
  for (const route of keyedRoutes)
    await check(route, pathWith(route.path, freshId)).catch(({ message }: Error) =>
      failures.push(`${route.method} ${route.path}: ${message}`),
    )
  expect(failures).toEqual([])
}

describe('every route', () => {
  test('without a key is 401 UNAUTHORIZED with a request id', () =>
    expectOfEach(async ({ method }, url) => {
      const reply = await request(method, url)
      expectError(reply, 401, 'UNAUTHORIZED')
      expect(reply.headers.get('x-request-id')).toMatch(ID)
      expect(Object.keys(reply.body)).toEqual(['error_code', 'message'])
    }))

  test('with a wrong key is 401 UNAUTHORIZED', () =>
    expectOfEach(async ({ method }, url) => {
      const send = () => request(method, url, { headers: { 'x-api-key': `dct_${'x'.repeat(46)}` } })
      let reply = await send()
      // So many routes, so many wrong keys: an address that has failed too often is told to wait.
      while (reply.status === 429) {
        await delay(Number(reply.headers.get('retry-after')) * 1000)
        reply = await send()
      }
      expectError(reply, 401, 'UNAUTHORIZED')
    }))

  test('with a key in the URL is 401 UNAUTHORIZED', () =>
    expectOfEach(async ({ method }, url) => {
      expectError(await request(method, `${url}?x-api-key=${target.key}&api_key=${target.key}`), 401, 'UNAUTHORIZED')
    }))

  test('with malformed JSON is never a failure of the server', () =>
    expectOfEach(async ({ method }, url) => {
      if (method === 'GET') return
      const reply = await request(method, url, { headers: { 'x-api-key': target.key }, body: '{"a":' })
      expect(reply.status).toBeGreaterThanOrEqual(400)
      expect(reply.status).toBeLessThan(500)
      expect(reply.body).toMatchObject({ error_code: expect.any(String), message: expect.any(String) })
    }))
})

test('/openapi.json needs no key', async () => {
  expect((await request('GET', '/openapi.json')).status).toBe(200)
})

describe('/docs', () => {
  test('is a page, without a key', async () => {
    const reply = await request('GET', '/docs')
    const page =
      reply.status >= 300 && reply.status < 400
        ? await request('GET', new URL(reply.headers.get('location')!, `${target.url}/docs`).pathname)
        : reply
    expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/html/)])
  })

  test('loads nothing from another host', async () => {
    const { text } = await request('GET', '/docs')
    const addresses = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address!)
    expect(addresses.length).toBeGreaterThan(0)
    for (const address of addresses) expect(address).not.toMatch(/^(https?:)?\/\//)
  })

  test('serves every file that it loads', async () => {
    const { text } = await request('GET', '/docs')
    const addresses = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(
      ([, address]) => new URL(address!, `${target.url}/docs`).pathname,
    )
    for (const address of addresses) expect(await request('GET', address), address).toMatchObject({ status: 200 })
  })

  test('forbids the browser to ask other hosts', async () => {
    const policy = (await request('GET', '/docs')).headers.get('content-security-policy')
    expect(policy).toMatch(/default-src 'self'/)
    expect(policy).not.toMatch(/https?:|\*/)
  })
})
