import { STATUS_CODES } from 'node:http'
import swagger from '@fastify/swagger'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import type { HttpServer } from '../server.ts'
import { ErrorResponse } from '../validation/schemas.ts'
import { type OpenApiDocument, tidySchemas } from './openapi.tidy.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Documented body of a route that reads its body itself. */
    documentedBody?: { mediaType: string; schema: z.ZodType }
  }
}

/** Collects what is registered from now on; `describe` then gives it as OpenAPI. Not for a server that serves. */
export async function collectRoutes(app: HttpServer): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Docent',
        version: '1',
        description:
          'AI agents that answer from your documents: folders and files, agents, chats, virtual users. A request body whose schema says `additionalProperties: false` is refused (400) when it has other fields; the message names them, and what may have been meant. JSON bodies may come with Content-Encoding gzip, deflate or br, and have at most 1 MiB once they are inflated.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      security: [{ ApiKey: [] }, { Bearer: [] }, { Session: [] }],
      components: {
        securitySchemes: {
          ApiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
          Bearer: { type: 'http', scheme: 'bearer', description: 'The API key as Authorization: Bearer KEY' },
          Session: {
            type: 'apiKey',
            in: 'cookie',
            name: 'docent-session',
            description:
              'Set by POST /v1/session for the web UI (the name also holds the port, and __Host- in front over https). It counts only for requests of the same origin: those that browsers mark with Sec-Fetch-Site: same-origin or, where they mark none, with x-docent-session: 1.',
          },
        },
      },
    },
    // Routes without an operation id serve machines and browsers, not clients of the API.
    transform: (route) => {
      const schema = route.schema as { operationId?: string; tags?: string[]; response?: object } | undefined
      const { documentedBody, access } = route.route.config ?? {}
      if (!schema?.operationId) return { schema: { hide: true }, url: route.url }
      const tags = schema.tags ?? [tagOf(schema.operationId)]
      const body = documentedBody && { body: documentedBody.schema, consumes: [documentedBody.mediaType] }
      const response = { ...schema.response, default: ErrorResponse }
      const documented = { ...route.schema, tags, ...body, response, 'x-access': access }
      return jsonSchemaTransform({ ...route, schema: documented })
    },
    transformObject: jsonSchemaTransformObject,
  })
}

/** `knowledgeBases.create` is under `Knowledge bases`. */
function tagOf(operationId: string): string {
  const noun = operationId.split('.')[0]!.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return noun[0]!.toUpperCase() + noun.slice(1)
}

/** The OpenAPI 3.1 document of all routes since `collectRoutes`, and of what is sent to receivers. */
export async function describe(app: HttpServer, webhooks: OpenApiDocument['webhooks']): Promise<OpenApiDocument> {
  await app.ready()
  const document = tidySchemas({ ...(app.swagger() as unknown as OpenApiDocument), webhooks })
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods)))
    for (const [status, response] of Object.entries((operation as Operation).responses))
      if (response.description === UNNAMED) response.description = STATUS_CODES[status] ?? 'What went wrong'
  return document
}

interface Operation {
  responses: Record<string, { description: string }>
}

/** Description that @fastify/swagger gives a response without one. */
const UNNAMED = 'Default Response'
