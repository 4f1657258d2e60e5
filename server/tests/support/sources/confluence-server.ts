import { expect } from 'vitest'
import { scriptedLogin } from '../access/scripted-login.ts'
import { type ScriptedAnswer, type ScriptedRequest, scriptedApi } from '../http/scripted-api.ts'

interface Page {
  title: string
  html: string
  parentId?: string
  parentType?: string
  version?: number
  status?: string
  attachments?: Record<string, { title: string; content: string }>
  /** People and groups that it is restricted to, by their ids. */
  restricted?: { users?: string[]; groups?: string[] }
  /** Whether the search of the site does not know it yet. */
  isNew?: boolean
}

interface People {
  /** People by the ids of their accounts. */
  users: Record<string, { email: string; name: string; accountType?: string }>
  /** Groups by their ids. */
  groups: Record<string, { name: string; members: string[] }>
  /** People and groups that may do something in the space. */
  permissions: { type: string; id: string; key?: string }[]
  /** Permissions of roles in the space, by their ids. */
  roles?: Record<string, string[]>
  /** Holders of roles in the space. */
  assignments?: { type: string; id: string; role: string }[]
}

const ADA: People = {
  users: { 'a-ada': { email: 'ada@example.com', name: 'Ada' } },
  groups: {},
  permissions: [{ type: 'user', id: 'a-ada' }],
}

const EMAIL = 'ada@example.com'
const TOKEN = 'token-of-ada'
const FOLDERS: Record<string, object> = {
  f1: { id: 'f1', title: 'Outer', parentId: '1', parentType: 'page' },
  f2: { id: 'f2', title: 'Inner', parentId: 'f1', parentType: 'folder' },
}

/**
 * Site of Confluence Cloud with one space, whose home page has the id 1; lists have pages of two. Those who logged in ask
 * below `/ex/confluence/cloud`, others at the site itself.
 */
export async function scriptedConfluence(given: Record<string, Page>, people: People = ADA) {
  const pages = new Map(Object.entries(given))
  const login = scriptedLogin({ tokenBody: 'json' })
  const read: string[] = []

  const pageOf = (id: string, { title, parentId, parentType, version = 1, status = 'current' }: Page) => ({
    id,
    status,
    title,
    spaceId: 'space',
    parentId: parentId ?? null,
    parentType: parentType ?? (parentId ? 'page' : null),
    version: { number: version, createdAt: '2026-01-01T00:00:00.000Z' },
    body: {},
    _links: { webui: `/spaces/HB/pages/${id}` },
  })

  function listOf(all: unknown[], { pathname, searchParams }: URL): ScriptedAnswer {
    const from = Number(searchParams.get('cursor') ?? 0)
    const next =
      from + 2 < all.length ? { next: `${pathname.replace(/^\/ex\/confluence\/cloud/, '')}?cursor=${from + 2}` } : {}
    return { body: { results: all.slice(from, from + 2), _links: { base: `${api.url}/wiki`, ...next } } }
  }

  const userOf = (accountId: string) => {
    const { email = '', name = '', accountType = 'atlassian' } = people.users[accountId] ?? {}
    return { type: 'known', accountId, accountType, email, displayName: name }
  }

  /** Lists of the REST API v1, by place and number: no more than two at once. */
  function slice<T>(all: T[], { searchParams }: URL) {
    const start = Number(searchParams.get('start') ?? 0)
    const results = all.slice(start, start + 2)
    return { results, start, limit: 2, size: results.length }
  }

  function whoMayRead(path: string, url: URL, body: string): ScriptedAnswer | undefined {
    if (path === '/wiki/api/v2/spaces/space/permissions')
      return listOf(
        people.permissions.map(({ type, id, key = 'read' }, at) => ({
          id: String(at),
          principal: { type, id },
          operation: { key, targetType: 'space' },
        })),
        url,
      )
    if (path === '/wiki/api/v2/users-bulk') return { body: { results: JSON.parse(body).accountIds.map(userOf) } }
    if (path === '/wiki/api/v2/space-roles' && url.searchParams.get('space-id') === 'space' && people.roles)
      return listOf(
        Object.entries(people.roles).map(([id, spacePermissions]) => ({
          id,
          type: 'CUSTOM',
          name: id,
          spacePermissions,
        })),
        url,
      )
    if (path === '/wiki/api/v2/spaces/space/role-assignments' && people.assignments)
      return listOf(
        people.assignments.map(({ type, id, role }) => ({
          principal: { principalType: type, principalId: id },
          roleId: role,
        })),
        url,
      )
    if (path === '/wiki/rest/api/content/search') {
      expect(url.searchParams.get('cql')).toBe('space = "HB" and type = page')
      expect(url.searchParams.get('expand')).toContain('restrictions.read.restrictions.user')
      const known = [...pages].filter(([, { isNew, status = 'current' }]) => !isNew && status === 'current')
      return listOf(
        known.map(([id]) => ({ id, type: 'page', restrictions: { read: restrictionOf(id, url) } })),
        url,
      )
    }
    const groupId = /^\/wiki\/rest\/api\/group\/([\w-]+)\/membersByGroupId$/.exec(path)?.[1] ?? ''
    if (people.groups[groupId]) return { body: slice(people.groups[groupId].members.map(userOf), url) }
    const byId = people.groups[url.searchParams.get('id') ?? '']
    if (path === '/wiki/rest/api/group/by-id' && byId) return { body: { type: 'group', name: byId.name } }
    const id = /^\/wiki\/rest\/api\/content\/(\w+)\/restriction\/byOperation\/read$/.exec(path)?.[1] ?? ''
    if (!pages.has(id) && !FOLDERS[id]) return undefined
    return { body: restrictionOf(id, url) }
  }

  function restrictionOf(id: string, url: URL) {
    const { users = [], groups = [] } = pages.get(id)?.restricted ?? {}
    const named = groups.map((group) => ({ type: 'group', id: group, name: people.groups[group]!.name }))
    return { operation: 'read', restrictions: { user: slice(users.map(userOf), url), group: slice(named, url) } }
  }

  function answer(path: string, url: URL): ScriptedAnswer | undefined {
    const query = url.searchParams
    if (path === '/wiki/api/v2/spaces') {
      const space = { id: 'space', key: 'HB', name: 'Handbook', type: 'global', status: 'current', homepageId: '1' }
      return listOf((query.get('keys') ?? 'HB').split(',').includes('HB') ? [space] : [], url)
    }
    if (path === '/wiki/api/v2/spaces/space/pages') {
      const wanted = [...pages].filter(([, { status = 'current' }]) => status === query.get('status'))
      return listOf(
        wanted.map(([id, page]) => pageOf(id, page)),
        url,
      )
    }
    if (path === '/wiki/api/v2/attachments') {
      const all = [...pages].flatMap(([pageId, { attachments = {} }]) =>
        Object.entries(attachments).map(([id, { title, content }]) => ({
          id,
          title,
          pageId,
          status: 'current',
          fileSize: Buffer.byteLength(content),
          version: { number: 1 },
          _links: { webui: `/pages/viewpageattachments.action?pageId=${pageId}` },
        })),
      )
      return listOf(all, url)
    }
    const folder = FOLDERS[/^\/wiki\/api\/v2\/folders\/(\w+)$/.exec(path)?.[1] ?? '']
    if (folder) return { body: folder }
    const id = /^\/wiki\/api\/v2\/pages\/(\w+)$/.exec(path)?.[1] ?? ''
    const page = pages.get(id)
    if (page) {
      const format = query.get('body-format')!
      read.push(id)
      return { body: { ...pageOf(id, page), body: { [format]: { representation: format, value: page.html } } } }
    }
    const [, pageId = '', attached = ''] =
      /^\/wiki\/rest\/api\/content\/(\w+)\/child\/attachment\/(\w+)\/download$/.exec(path) ?? []
    if (pages.get(pageId)?.attachments?.[attached])
      return { status: 302, headers: { location: `${api.url}/media/${pageId}/${attached}` } }
    return undefined
  }

  function handle(request: ScriptedRequest): ScriptedAnswer | undefined {
    const { url, headers } = request
    const [, kind, pageId = '', attached = ''] = url.pathname.split('/')
    if (kind === 'media') {
      const file = pages.get(pageId)?.attachments?.[attached]
      return headers.authorization ? { status: 401 } : file && { body: file.content }
    }
    const given = login.answer(request)
    if (given) return given
    const cloud = '/ex/confluence/cloud'
    const isOverLogin = url.pathname.startsWith(cloud) || url.pathname.startsWith('/oauth/')
    const basic = `Basic ${Buffer.from(`${EMAIL}:${TOKEN}`).toString('base64')}`
    if (isOverLogin ? !login.isLoggedIn(request) : headers.authorization !== basic) return { status: 401 }
    if (url.pathname === '/oauth/token/accessible-resources')
      return { body: [{ id: 'cloud', name: 'Example', url: api.url, scopes: ['read:page:confluence'] }] }
    const path = isOverLogin ? url.pathname.slice(cloud.length) : url.pathname
    return whoMayRead(path, url, request.body) ?? answer(path, url)
  }

  const api = await scriptedApi(handle)
  const config = {
    site: `${api.url}/wiki/home`,
    email: EMAIL,
    api_token: TOKEN,
    endpoint: api.url,
    requests_per_second: 100,
  }
  return { ...api, pages, people, login, read, config }
}
