import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { ValidationError } from '../../errors.ts'

/**
 * Makes every operation that is registered from now on refuse unknown fields in its body, but for `lenient` ones. A
 * body that would drop some in silence ends the start: its schemas must be `z.strictObject` at every depth.
 * @param lenient operation ids
 */
export function requireStrictBodies(app: FastifyInstance, lenient: ReadonlySet<string>): void {
  app.addHook('onRoute', (route) => {
    const { operationId, body } = (route.schema ?? {}) as { operationId?: string; body?: z.ZodType }
    if (!operationId || lenient.has(operationId)) return
    if (!body) {
      route.preValidation = [refuseBody, ...[route.preValidation ?? []].flat()]
      return
    }
    const loose = looseObjects(body)
    if (loose.length > 0) throw new Error(`${operationId}: ${loose.join(', ')} must be a z.strictObject`)
  })
}

function refuseBody({ body }: FastifyRequest, _reply: unknown, done: (error?: Error) => void): void {
  if (body === undefined || body === null) done()
  else if (typeof body !== 'object' || Array.isArray(body)) done(new ValidationError('This operation takes no body'))
  else {
    const names = Object.keys(body).slice(0, 20).join(', ')
    done(names ? new ValidationError(`The body has unknown fields: ${names}; this operation takes none`) : undefined)
  }
}

/** Paths of the objects that would take unknown fields. */
export function looseObjects(schema: z.ZodType, path = 'body'): string[] {
  const found: string[] = []
  const seen = new Set<z.core.$ZodType>()
  const visit = (type: z.core.$ZodType, at: string): void => {
    if (seen.has(type)) return
    seen.add(type)
    const { def } = (type as z.core.$ZodTypes)._zod
    switch (def.type) {
      case 'object':
        if (def.catchall?._zod.def.type !== 'never') found.push(at)
        for (const [name, field] of Object.entries(def.shape)) visit(field, `${at}.${name}`)
        break
      case 'array':
        visit(def.element, `${at}[]`)
        break
      case 'record':
        visit(def.valueType, `${at}.*`)
        break
      case 'union':
        for (const option of def.options) visit(option, at)
        break
      case 'pipe':
        visit(def.in, at)
        visit(def.out, at)
        break
      case 'lazy':
        visit(def.getter(), at)
        break
      default:
        // Optional, nullable, default, prefault, readonly …
        if ('innerType' in def) visit(def.innerType, at)
    }
  }
  visit(schema, path)
  return found
}
