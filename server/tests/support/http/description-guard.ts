import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { HttpServer } from '../../../src/platform/http/server.ts'
import { ErrorResponse } from '../../../src/platform/http/validation/schemas.ts'
import { recordAnswer, recordSentBytes } from './record-answers.ts'

export interface DescriptionGuard {
  /** Watches the routes that are registered afterwards. */
  watch(app: HttpServer): void
  /** Answers that were not as described. */
  violations: string[]
}

/**
 * Compares every JSON answer of an operation with its description: nothing that is listed may lack or have another type,
 * and nothing may be there that is not listed. So openapi.json and the types of the SDK tell the truth.
 */
export function createDescriptionGuard(): DescriptionGuard {
  const violations: string[] = []
  return {
    violations,
    watch(app) {
      app.addHook('onRequest', async (request, reply) => {
        const { operationId } = (request.routeOptions.schema ?? {}) as { operationId?: string }
        if (operationId) recordSentBytes(request, reply, operationId)
      })
      app.addHook('onSend', async (request, reply, payload) => {
        const { schema } = request.routeOptions
        const isJson = String(reply.getHeader('content-type')).startsWith('application/json')
        const { operationId } = (schema ?? {}) as { operationId?: string }
        if (!operationId || !isJson || typeof payload !== 'string') return
        const answer = JSON.parse(payload)
        recordAnswer(request, { operation: operationId, status: reply.statusCode, answer })
        const problem = mismatch(schemaFor(schema?.response, reply.statusCode), answer)
        if (problem) violations.push(`${operationId} answers ${reply.statusCode} otherwise than described: ${problem}`)
      })
    },
  }
}

type Described = z.ZodType | { content: Record<string, { schema: z.ZodType }> }

function schemaFor(responses: unknown, status: number): z.ZodType | undefined {
  const described = (responses as Record<number, Described> | undefined)?.[status]
  if (!described) return status >= 400 ? ErrorResponse : undefined
  return 'content' in described ? described.content['application/json']?.schema : described
}

function mismatch(schema: z.ZodType | undefined, body: unknown): string | undefined {
  if (!schema) return 'this status is not described'
  const result = schema.safeParse(body)
  if (!result.success) return result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
  // Parsing drops fields that the schema does not list.
  if (!isDeepStrictEqual(result.data, body))
    return `fields that are not listed in ${JSON.stringify(body).slice(0, 500)}`
  return undefined
}
