import type { FastifyReply, FastifyRequest } from 'fastify'
import findMyWay from 'find-my-way'
import type { HttpServer } from '../server.ts'

/** Shows the document of the web UI, which says that there is no such page. */
export type ShowPage = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

declare module 'fastify' {
  interface FastifyInstance {
    /** Absent where the web UI was not built. */
    showMissing?: ShowPage
    /** Answers a request that has no route; an instance with errors of its own form sets it as its handler, too. */
    answerNotFound: (request: FastifyRequest, reply: FastifyReply) => FastifyReply
  }
}

/** Whether a person's browser goes to an address that could be one of a page: not of the API, nor of the guide. */
const isPageAddress = ({ method, url, headers }: Pick<FastifyRequest, 'method' | 'url' | 'headers'>): boolean =>
  method === 'GET' &&
  (headers.accept ?? '').includes('text/html') &&
  !/^\/(v1|openai|scim|mcp|docs|guide|assets)(\/|$)/.test(url.split('?')[0]!)

/**
 * Tells a known path with another method (405) from an unknown path (404). To be set up before the routes are.
 * @param longestParameter as the router has it
 * @returns what answers a request that has no route
 */
export function createNotFound(
  app: HttpServer,
  longestParameter: number,
): (request: FastifyRequest, reply: FastifyReply) => FastifyReply {
  const methodsOf = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const methods = methodsOf.get(url) ?? new Set()
    methodsOf.set(url, methods)
    for (const one of [method].flat()) methods.add(one)
  })
  /** Made when it is first asked for: a tree of all paths takes a start several milliseconds. */
  let known: ReturnType<typeof pathsKnown> | undefined

  function pathsKnown() {
    const paths = findMyWay({ ignoreTrailingSlash: true, maxParamLength: longestParameter })
    for (const [url, methods] of methodsOf) paths.on('GET', url, () => methods)
    return paths
  }

  return (request, reply) => {
    const path = request.url.split('?')[0]!
    known ??= pathsKnown()
    const methods = known
      .find('GET', path)
      ?.handler(undefined as never, undefined as never, {}, undefined, {}) as unknown
    if (methods instanceof Set) {
      const allowed = [...methods].join(', ')
      return reply
        .status(405)
        .header('allow', allowed)
        .send({ error_code: 'METHOD_NOT_ALLOWED', message: `This path takes ${allowed}, not ${request.method}` })
    }
    if (app.showMissing && isPageAddress(request)) {
      app.showMissing(request, reply).catch((error: Error) => reply.send(error))
      return reply
    }
    return reply.status(404).send({ error_code: 'NOT_FOUND', message: `There is nothing at ${request.method} ${path}` })
  }
}
