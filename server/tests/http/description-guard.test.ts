import { expect, test } from 'vitest'
import { z } from 'zod'
import { createHttpServer } from '../../src/platform/http/server.ts'
import { createLogger } from '../../src/platform/telemetry/logger.ts'
import { createDescriptionGuard } from '../support/http/description-guard.ts'

test('the guard of the description sees what is missing, of another type, or not listed', async () => {
  const app = createHttpServer(createLogger('silent'))
  const guard = createDescriptionGuard()
  guard.watch(app)
  const answers: [status: number, body: unknown][] = []
  const response = { 200: z.object({ data: z.object({ id: z.string() }) }) }
  app.get('/x', { schema: { operationId: 'x.get', response } as object }, async (_request, reply) => {
    const [status, body] = answers.shift()!
    return reply.status(status).send(body)
  })
  const violationsOf = async (status: number, body: unknown) => {
    answers.push([status, body])
    await app.inject('/x')
    return guard.violations.splice(0)
  }
  expect(await violationsOf(200, { data: { id: 'a' } })).toEqual([])
  expect(await violationsOf(200, { data: {} })).toEqual([expect.stringContaining('data.id')])
  expect(await violationsOf(200, { data: { id: 1 } })).toEqual([expect.stringContaining('data.id')])
  expect(await violationsOf(200, { data: { id: 'a', more: 1 } })).toEqual([expect.stringContaining('not listed')])
  expect(await violationsOf(201, { data: { id: 'a' } })).toEqual([expect.stringContaining('not described')])
  expect(await violationsOf(418, { error_code: 'TEAPOT', message: 'Short and stout' })).toEqual([])
  expect(await violationsOf(418, { message: 'Short and stout' })).toEqual([expect.stringContaining('error_code')])
})
