import { expect, test } from 'vitest'
import { z } from 'zod'
import { createLogger } from '../../telemetry/logger.ts'
import { createHttpServer } from '../server.ts'
import { looseObjects, requireStrictBodies } from './strict-bodies.ts'

test('objects that take unknown fields are found at every depth', () => {
  const loose = z.object({ x: z.string() })
  const strict = z.strictObject({
    a: loose.optional(),
    b: z.array(loose.nullable().default(null)),
    c: z.record(z.string(), loose),
    d: z.union([z.string(), z.strictObject({ e: loose })]),
    f: z.strictObject({ g: z.string() }).transform((value) => value),
    h: z.unknown().pipe(loose).optional(),
  })
  expect(looseObjects(strict)).toEqual(['body.a'])
  expect(looseObjects(strict.omit({ a: true }))).toEqual(['body.b[]'])
  expect(looseObjects(strict.omit({ a: true, b: true }))).toEqual(['body.c.*'])
  expect(looseObjects(strict.omit({ a: true, b: true, c: true }))).toEqual(['body.d.e'])
  expect(looseObjects(strict.omit({ a: true, b: true, c: true, d: true }))).toEqual(['body.h'])
  expect(looseObjects(strict.pick({ f: true }))).toEqual([])
  expect(looseObjects(z.object({}).nullish())).toEqual(['body'])
})

test('a route whose body drops unknown fields cannot be registered, unless it is named', async () => {
  const app = createHttpServer(createLogger('silent'))
  requireStrictBodies(app, new Set(['lenient']))
  const add = (operationId: string, body: z.ZodType) =>
    app.post(`/${operationId}`, { schema: { operationId, body } as object }, async () => ({}))
  add('lenient', z.object({}))
  add('strict', z.strictObject({}))
  expect(() => add('loose', z.object({}))).toThrow('loose: body must be a z.strictObject')
  await app.close()
})
