import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { startTestApp } from './support/test-app.ts'

test('the description of the API is served without a key, as it is committed', async () => {
  const { url } = await startTestApp()
  const reply = await fetch(`${url}/openapi.json`)
  expect(reply.headers.get('content-type')).toContain('application/json')
  const committed = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')
  expect(await reply.text()).toBe(committed)
})

test('every operation has an id of its own, a tag, a summary and described answers', () => {
  const { paths } = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'))
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods as object))
  expect(operations.length).toBeGreaterThan(20)
  const ids = operations.map(({ operationId }) => operationId)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { operationId, tags, summary, responses } of operations) {
    expect(tags, operationId).toHaveLength(1)
    expect(summary, operationId).toBeTruthy()
    expect(Object.keys(responses[200]?.content ?? {}), operationId).not.toHaveLength(0)
  }
})

test('/docs shows it, and loads nothing from another host', async () => {
  const { url } = await startTestApp()
  const page = await fetch(`${url}/docs`)
  expect(page.status).toBe(200)
  expect(page.headers.get('content-security-policy')).toContain("default-src 'self'")
  const html = await page.text()
  const parts = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, part]) => new URL(part!, `${url}/docs`))
  expect(parts.length).toBeGreaterThan(3)
  for (const part of parts) {
    expect(part.origin).toBe(url)
    const reply = await fetch(part)
    expect(reply.status, part.pathname).toBe(200)
    await reply.arrayBuffer()
  }
  expect(await (await fetch(`${url}/docs/json`)).json()).toMatchObject({ openapi: '3.1.0' })
  expect((await fetch(`${url}/docs/nothing-here`)).status).toBe(404)
})
