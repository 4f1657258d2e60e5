import { z } from 'zod'
import { slicesOf } from '../../platform/database/in-slices.ts'
import type { ApiClient } from '../api/api-client.ts'
import { checkedAnswer } from '../api/api-refused.ts'

const API = 'Confluence API'
const A_PAGE = 200
const A_LOOKUP = 100
const A_SEARCH = 100

/** Person, group or role, by its id, with one thing that they may do in a space. */
export const SpacePermission = z.looseObject({
  principal: z.looseObject({ type: z.string(), id: z.string() }).nullish(),
  operation: z.looseObject({ key: z.string(), targetType: z.string() }).nullish(),
})

/** Person, group or class of people, by its id, with a role in a space. */
export const RoleAssignment = z.looseObject({
  principal: z.looseObject({ principalType: z.string(), principalId: z.string() }).nullish(),
  roleId: z.string().nullish(),
})

export const SpaceRole = z.looseObject({ id: z.string(), spacePermissions: z.array(z.string()).default([]) })

const User = z.looseObject({
  accountId: z.string().nullish(),
  accountType: z.string().nullish(),
  /** Empty for those who do not show it. */
  email: z.string().nullish(),
  displayName: z.string().nullish(),
  publicName: z.string().nullish(),
})
export type User = z.infer<typeof User>

const Group = z.looseObject({ id: z.string().nullish(), name: z.string().nullish() })
export type Group = z.infer<typeof Group>

const listOf = <T extends z.ZodType>(item: T) =>
  z.looseObject({ results: z.array(item).default([]), limit: z.number().nullish() })
const Restriction = z.looseObject({
  restrictions: z.looseObject({ user: listOf(User).optional(), group: listOf(Group).optional() }),
})
const Users = z.looseObject({ results: z.array(User) })

const FoundContent = z.looseObject({
  id: z.string(),
  restrictions: z.looseObject({ read: z.unknown() }).nullish(),
})
const FoundList = z.looseObject({
  results: z.array(FoundContent),
  _links: z.looseObject({ next: z.string().optional() }).optional(),
})

/** People and groups that something is restricted to; none of both: everybody. */
export interface Restricted {
  users: User[]
  groups: Group[]
}

/** Requests that tell who may read what, those of the REST API v1 by place and number. */
export const createPeople = (client: ApiClient, base: string) => ({
  /** People and groups that a page or folder is restricted to, without what it inherits; none of both: everybody. */
  async restrictedTo(contentId: string, signal: AbortSignal): Promise<Restricted> {
    const found: Restricted = { users: [], groups: [] }
    const path = `${base}/wiki/rest/api/content/${encodeURIComponent(contentId)}/restriction/byOperation/read`
    const expand = 'restrictions.user,restrictions.group'
    for (let start = 0, isWhole = false; !isWhole; ) {
      const query = new URLSearchParams({ expand, start: String(start), limit: String(A_PAGE) })
      const answer = await client.json(`${path}?${query}`, signal)
      const { user, group } = checkedAnswer(Restriction, answer, API, 'site').restrictions
      found.users.push(...(user?.results ?? []))
      found.groups.push(...(group?.results ?? []))
      // Both lists begin at the same number; the site may give fewer at once than are asked for.
      const limit = user?.limit ?? group?.limit ?? A_PAGE
      isWhole = limit === 0 || Math.max(user?.results.length ?? 0, group?.results.length ?? 0) < limit
      start += limit
    }
    return found
  },

  /** Restrictions of the pages of a space, many in a request; pages without both lists whole are left out. */
  async restrictedIn(spaceKey: string, signal: AbortSignal): Promise<Map<string, Restricted>> {
    const found = new Map<string, Restricted>()
    let cursor: string | undefined
    do {
      const query = new URLSearchParams({
        cql: `space = ${JSON.stringify(spaceKey)} and type = page`,
        expand: 'restrictions.read.restrictions.user,restrictions.read.restrictions.group',
        limit: String(A_SEARCH),
        ...(cursor && { cursor }),
      })
      const answer = await client.json(`${base}/wiki/rest/api/content/search?${query}`, signal)
      const { results, _links } = checkedAnswer(FoundList, answer, API, 'site')
      for (const { id, restrictions } of results) {
        const { user, group } = Restriction.safeParse(restrictions?.read).data?.restrictions ?? {}
        if (isWhole(user) && isWhole(group)) found.set(id, { users: user.results, groups: group.results })
      }
      cursor = _links?.next && (URL.parse(_links.next, base)?.searchParams.get('cursor') ?? undefined)
    } while (cursor)
    return found
  },

  async members(groupId: string, signal: AbortSignal): Promise<User[]> {
    const found: User[] = []
    for (;;) {
      const query = new URLSearchParams({ start: String(found.length), limit: String(A_PAGE) })
      const path = `/wiki/rest/api/group/${encodeURIComponent(groupId)}/membersByGroupId?${query}`
      const { results, limit } = checkedAnswer(listOf(User), await client.json(base + path, signal), API, 'site')
      found.push(...results)
      if (results.length === 0 || results.length < (limit ?? A_PAGE)) return found
    }
  },

  async group(id: string, signal: AbortSignal): Promise<Group> {
    const path = `/wiki/rest/api/group/by-id?${new URLSearchParams({ id })}`
    return checkedAnswer(Group, await client.json(base + path, signal), API, 'site')
  },

  async users(accountIds: string[], signal: AbortSignal): Promise<User[]> {
    const found: User[] = []
    for (const ids of slicesOf(accountIds, A_LOOKUP)) {
      const answer = await client.json(`${base}/wiki/api/v2/users-bulk`, signal, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ accountIds: ids }),
      })
      found.push(...checkedAnswer(Users, answer, API, 'site').results)
    }
    return found
  },
})

/** Whether a list within an answer has no further page, as far as it says so. */
const isWhole = <T extends { results: unknown[]; limit?: number | null | undefined }>(list: T | undefined): list is T =>
  list !== undefined && typeof list.limit === 'number' && list.results.length < list.limit
