import { z } from 'zod'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { type ApiClient, createApiClient } from '../api/api-client.ts'
import { ApiRefusedError, checkedAnswer } from '../api/api-refused.ts'
import { type SourceContext, SourceUnavailableError } from '../source.ts'
import type { ConfluenceConfig } from './confluence-kind.ts'
import { createPeople, RoleAssignment, SpacePermission, SpaceRole } from './confluence-people.ts'

const API = 'Confluence API'
const A_PAGE = '250'

const Parent = { parentId: z.string().nullish(), parentType: z.string().nullish() }
const Links = z.looseObject({ webui: z.string().optional() }).optional()
const Version = z.looseObject({ number: z.number() })

const Space = z.looseObject({
  id: z.string().min(1),
  key: z.string(),
  name: z.string(),
  type: z.string().optional(),
  homepageId: z.string().nullish(),
})
export type Space = z.infer<typeof Space>

const Page = z.looseObject({
  id: z.string().min(1),
  title: z.string(),
  version: Version,
  _links: Links,
  ...Parent,
})
export type Page = z.infer<typeof Page>

const Folder = z.looseObject({ id: z.string().min(1), title: z.string(), ...Parent })
export type Folder = z.infer<typeof Folder>

const Attachment = z.looseObject({
  id: z.string().min(1),
  title: z.string(),
  pageId: z.string().nullish(),
  fileSize: z.number().nullish(),
  version: Version.nullish(),
  _links: Links,
})
export type Attachment = z.infer<typeof Attachment>

const Html = z.looseObject({ value: z.string() }).optional()
const WithBody = z.looseObject({ body: z.looseObject({ export_view: Html, storage: Html }).default({}) })

const Sites = z.array(z.looseObject({ id: z.string().min(1), url: z.string() }))

/** Asks a Confluence Cloud site (REST API v2). @throws SourceUnavailableError for a site that the login does not reach */
export async function createConfluence(
  outbound: Outbound,
  config: ConfluenceConfig,
  tokensOf: SourceContext['tokensOf'],
  signal: AbortSignal,
) {
  const client = clientOf(outbound, config, tokensOf)
  const base = config.connection === undefined ? config.site : await findSite(client, config, signal)

  /** All of a list; its links to further pages lead to the site, so only their cursors are taken. */
  async function* list<T extends z.ZodType>(path: string, item: T, query: Record<string, string>, signal: AbortSignal) {
    const List = z.looseObject({
      results: z.array(item),
      _links: z.looseObject({ next: z.string().optional() }).optional(),
    })
    let cursor: string | undefined
    do {
      const all = new URLSearchParams({ limit: A_PAGE, ...query, ...(cursor && { cursor }) })
      const answer = await client.json(`${base}/wiki/api/v2/${path}?${all}`, signal)
      const { results, _links } = checkedAnswer(List, answer, API, 'site')
      yield* results
      const next = _links?.next
      cursor = next === undefined ? undefined : (URL.parse(next, config.site)?.searchParams.get('cursor') ?? undefined)
      if (next !== undefined && cursor === undefined)
        throw new SourceUnavailableError('site', `gives answers that are not those of the ${API}`)
    } while (cursor !== undefined)
  }

  return {
    ...createPeople(client, base),
    spacePermissions: (spaceId: string, signal: AbortSignal) =>
      list(`spaces/${spaceId}/permissions`, SpacePermission, {}, signal),
    roleAssignments: (spaceId: string, signal: AbortSignal) =>
      list(`spaces/${spaceId}/role-assignments`, RoleAssignment, {}, signal),
    spaceRoles: (spaceId: string, signal: AbortSignal) =>
      list('space-roles', SpaceRole, { 'space-id': spaceId }, signal),
    spaces: (signal: AbortSignal) => {
      const { spaces } = config
      const chosen: Record<string, string> = spaces.length > 0 ? { keys: spaces.join(',') } : { type: 'global' }
      return list('spaces', Space, { ...chosen, status: 'current' }, signal)
    },
    pages: (spaceId: string, signal: AbortSignal) =>
      list(`spaces/${spaceId}/pages`, Page, { status: 'current' }, signal),
    attachments: (signal: AbortSignal) => list('attachments', Attachment, { status: 'current' }, signal),
    /** Undefined where it cannot be read. */
    async folder(id: string, signal: AbortSignal): Promise<Folder | undefined> {
      try {
        const answer = await client.json(`${base}/wiki/api/v2/folders/${encodeURIComponent(id)}`, signal)
        return checkedAnswer(Folder, answer, API, 'site')
      } catch (error) {
        if (error instanceof ApiRefusedError) return undefined
        throw error
      }
    },
    /** HTML of a page as it is exported, with what its macros show; where a page has none, as it is stored. */
    async html(id: string, signal: AbortSignal): Promise<string> {
      for (const format of ['export_view', 'storage'] as const) {
        const url = `${base}/wiki/api/v2/pages/${encodeURIComponent(id)}?body-format=${format}`
        const answer = await client.json(url, signal).catch((error) => {
          if (error instanceof ApiRefusedError && error.status === 400 && format === 'export_view') return {}
          throw error
        })
        const html = checkedAnswer(WithBody, answer, API, 'site').body[format]?.value
        if (html !== undefined) return html
      }
      return ''
    },
    file: (pageId: string, id: string, signal: AbortSignal) => {
      const [page, attachment] = [pageId, id].map(encodeURIComponent)
      return client.bytes(`${base}/wiki/rest/api/content/${page}/child/attachment/${attachment}/download`, signal)
    },
  }
}

export type Confluence = Awaited<ReturnType<typeof createConfluence>>

function clientOf(outbound: Outbound, config: ConfluenceConfig, tokensOf: SourceContext['tokensOf']): ApiClient {
  const { connection, email, api_token } = config
  const tokens = connection === undefined ? undefined : tokensOf(connection)
  const basic = `Basic ${Buffer.from(`${email}:${api_token}`).toString('base64')}`
  return createApiClient(outbound, {
    requestsPerSecond: config.requests_per_second,
    secretField: tokens ? 'connection' : 'api_token',
    addressField: tokens ? 'endpoint' : 'site',
    isRenewable: tokens !== undefined,
    authorize: async (signal, isRefused) => ({
      accept: 'application/json',
      authorization: tokens ? `Bearer ${await tokens.get(signal, isRefused)}` : basic,
    }),
  })
}

/** Address of the API of a site, for those who logged in. */
async function findSite(client: ApiClient, { site, endpoint }: ConfluenceConfig, signal: AbortSignal): Promise<string> {
  const base = endpoint.replace(/\/$/, '')
  const sites = checkedAnswer(Sites, await client.json(`${base}/oauth/token/accessible-resources`, signal), API)
  const found = sites.find(({ url }) => URL.parse(url)?.origin === site)
  if (found) return `${base}/ex/confluence/${encodeURIComponent(found.id)}`
  const others = sites.map(({ url }) => url).join(', ')
  throw new SourceUnavailableError('site', `is none that was allowed at the login${others && `, which has: ${others}`}`)
}
