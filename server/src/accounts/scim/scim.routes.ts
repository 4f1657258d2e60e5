import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { type Credentials, type Directory, ForbiddenError, keyOf, type ScimTokens } from '../../access/access.ts'
import { addJsonBodyOf } from '../../platform/http/bodies/json-body.ts'
import type { ErrorBody } from '../../platform/http/errors.ts'
import { ScimResourceNotFoundError, ScimSyntaxError, toScimError } from './scim.errors.ts'
import { listResponse, MOST_RESULTS, resourceTypes, schemas, serviceProviderConfig } from './scim-discovery.ts'
import { parseFilter } from './scim-filter.ts'
import { applyPatch } from './scim-patch.ts'
import { type Draft, readDraft, toDraft } from './scim-user.ts'
import { toScimUser } from './scim-user.wire.ts'
import { matches, requireVersion, type ScimUserService } from './scim-users.service.ts'
import type { ScimUserRecord } from './scim-users.store.ts'
import { selectAttributes } from './selected-attributes.ts'

declare module 'fastify' {
  interface FastifyRequest {
    directory: Directory
  }
}

const TYPE = 'application/scim+json'
const DEFAULT_COUNT = 100
const access = { who: 'everybody', proof: 'a SCIM token of the workspace' } as const
const config = { access }

export interface ScimRoutesOptions extends Pick<Credentials, 'failedAttempts'> {
  scimTokens: ScimTokens
  scimUsers: ScimUserService
  rateLimiter: { take(caller: { keyId: string }): unknown }
  publicUrl(): string
}

type ById = { Params: { id: string } }

/** SCIM 2.0 (RFC 7643 and 7644): the directory of a company manages the members of a workspace. */
export const scimRoutes =
  ({ scimTokens, scimUsers, failedAttempts, rateLimiter, publicUrl }: ScimRoutesOptions): FastifyPluginAsync =>
  async (app) => {
    const base = () => `${publicUrl()}/scim/v2`
    addJsonBodyOf(app, TYPE)
    app.decorateRequest('directory', null as unknown as Directory)

    app.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store').header('x-content-type-options', 'nosniff')
      const directory = await scimTokens.authenticate(keyOf(request)).catch((error) => {
        reply.header('www-authenticate', 'Bearer realm="Docent"')
        return failedAttempts.refuse(request.ip, error)
      })
      await rateLimiter.take(directory)
      request.directory = { ...directory, request: { id: request.id, ip: request.ip } }
    })
    app.addHook('preSerialization', async (_request, reply, payload) => {
      reply.type(`${TYPE}; charset=utf-8`)
      const body = payload as Partial<ErrorBody> | null
      return reply.statusCode >= 400 && body?.error_code ? toScimError(reply.statusCode, body as ErrorBody) : payload
    })

    const show = (reply: FastifyReply, { query }: FastifyRequest, user: ScimUserRecord) => {
      const shown = toScimUser(user, base())
      reply.header('etag', shown.meta.version)
      return selectAttributes(shown, query)
    }
    const versionOf = (user: ScimUserRecord) => toScimUser(user, base()).meta.version

    app.get('/ServiceProviderConfig', { config }, async () => serviceProviderConfig(base()))
    for (const [path, list] of [
      ['/ResourceTypes', resourceTypes],
      ['/Schemas', schemas],
    ] as const) {
      app.get(path, { config }, async ({ query }) => {
        // RFC 7644, 4: a filter is refused, so that nobody takes the answer for a filtered one.
        if ((query as { filter?: unknown }).filter !== undefined) throw new ForbiddenError('This list takes no filter')
        return listResponse(list(base()))
      })
      app.get<ById>(`${path}/:id`, { config }, async ({ params }) => {
        const found = list(base()).find(({ id }) => id === params.id)
        if (!found) throw new ScimResourceNotFoundError()
        return found
      })
    }

    app.get('/Users', { config }, async ({ directory, query }) => {
      const { filter, startIndex, count } = query as Record<string, unknown>
      const start = Math.max(1, readWhole('startIndex', startIndex, 1))
      const limit = Math.min(MOST_RESULTS, Math.max(0, readWhole('count', count, DEFAULT_COUNT)))
      const conditions = filter === undefined ? [] : parseFilter(String(filter))
      const found = await scimUsers.list(directory, { filter: conditions, limit, offset: start - 1 })
      const shown = found.users.map((user) => selectAttributes(toScimUser(user, base()), query))
      return listResponse(shown, { total: found.total, startIndex: start })
    })

    app.post('/Users', { config }, async (request, reply) => {
      const user = await scimUsers.create(request.directory, readDraft(toDraft(request.body)))
      reply.status(201).header('location', `${base()}/Users/${user.id}`)
      return show(reply, request, user)
    })

    app.get<ById>('/Users/:id', { config }, async (request, reply) => {
      const user = await scimUsers.get(request.directory, request.params.id)
      const known = request.headers['if-none-match']
      if (known !== undefined && matches(known, versionOf(user)))
        return reply.status(304).header('etag', versionOf(user)).send()
      return show(reply, request, user)
    })

    app.put<ById>('/Users/:id', { config }, async (request, reply) => {
      const fields = readDraft(toDraft(request.body))
      const user = await scimUsers.update(request.directory, request.params.id, (before) => {
        requireVersion(request.headers['if-match'], versionOf(before))
        return fields
      })
      return show(reply, request, user)
    })

    app.patch<ById>('/Users/:id', { config }, async (request, reply) => {
      const user = await scimUsers.update(request.directory, request.params.id, (before) => {
        requireVersion(request.headers['if-match'], versionOf(before))
        const draft = draftOf(before)
        applyPatch(draft, request.body)
        return readDraft(draft)
      })
      return show(reply, request, user)
    })

    app.delete<ById>('/Users/:id', { config }, async ({ directory, params, headers }, reply) => {
      await scimUsers.remove(directory, params.id, (user) => requireVersion(headers['if-match'], versionOf(user)))
      return reply.status(204).send()
    })

    app.all('/*', { config }, async () => {
      throw new ScimResourceNotFoundError()
    })
  }

/** Attributes as they are now; `active` is left out, so that only a change of it counts. */
const draftOf = ({ userName, externalId, displayName, names, email }: ScimUserRecord): Draft => ({
  userName,
  externalId,
  displayName,
  name: { ...names },
  emails: [{ value: email, type: 'work', primary: true }],
})

/** @throws ScimSyntaxError */
function readWhole(name: string, given: unknown, byDefault: number): number {
  if (given === undefined || given === '') return byDefault
  if (typeof given !== 'string' || !/^-?\d{1,9}$/.test(given))
    throw new ScimSyntaxError(`${name} must be a whole number`)
  return Number(given)
}
