import { z } from 'zod'
import { slicesOf } from '../../platform/database/in-slices.ts'
import type { ApiClient } from '../api/api-client.ts'
import { checkedAnswer } from '../api/api-refused.ts'

const API = 'Confluence API'
const A_PAGE = 200
const A_LOOKUP = 100

/** Person, group or role, by its id, with one thing that they may do in a space. */
export const SpacePermission = z.looseObject({
  principal: z.looseObject({ type: z.string(), id: z.string() }).nullish(),
  operation: z.looseObject({ key: z.string(), targetType: z.string() }).nullish(),
})

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

/** Requests that tell who may read what, those of the REST API v1 by place and number. */
export const createPeople = (client: ApiClient, base: string) => ({
  /** People and groups that a page or folder is restricted to, without what it inherits; none of both: everybody. */
  async restrictedTo(contentId: string, signal: AbortSignal): Promise<{ users: User[]; groups: Group[] }> {
    const found: { users: User[]; groups: Group[] } = { users: [], groups: [] }
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
