import { type Api, createApi } from './client/api.ts'
import { inParallel } from './load.ts'

const FOLDERS = 10_000
/** The root, ten folders in it, a hundred in each of these, nine in each of those. */
const IN_ROOT = 10
const IN_EACH = 100
const GROUPS = 1_000
const GROUPS_OF_MEMBER = 100
const FOR_EVERYONE = 500
/** Every fifth of those for everyone is closed to them. */
const CLOSED = 5
const AT_ONCE = 8

/** A member of a workspace with very many folders, groups and rights. */
export interface ManyRights {
  /** Calls with a key of the member's own. */
  member: Api
  /** All folders lie below it. */
  rootId: string
  /** A hundred folders and what is below lie in it. */
  partId: string
  /** Nine folders lie in it. */
  fewId: string
}

/**
 * Fills a workspace: 10,000 folders, 1,000 groups with a right each, of which the member is in 100, and 500 rights of
 * everyone; 600 of the rights concern the member, and all but 100 of the smallest folders are theirs to read.
 */
export async function giveManyRights(url: string, owner: Api): Promise<ManyRights> {
  const { data: me } = await owner.get<{ workspace: { id: string } }>('/me')
  const rootId = await owner.createFolder('All')
  const parts = await foldersIn(owner, [rootId], IN_ROOT)
  const middle = await foldersIn(owner, parts, IN_EACH)
  const leaves = await foldersIn(owner, middle, (FOLDERS - 1 - parts.length - middle.length) / middle.length)
  const groupIds: string[] = []
  await inParallel(GROUPS, AT_ONCE, async (at) => {
    const { data } = await owner.json<{ id: string }>('POST', '/groups', { name: `Group ${at}` })
    groupIds[at] = data.id
    const grants = [{ kind: 'group', id: data.id, level: 'read' }]
    await owner.json('PUT', `/knowledge-bases/${middle[at]}/grants`, { grants })
  })
  await inParallel(FOR_EVERYONE, AT_ONCE, async (at) => {
    const level = at % CLOSED === 0 ? 'none' : 'write'
    const grants = [{ kind: 'workspace', id: me.workspace.id, level }]
    await owner.json('PUT', `/knowledge-bases/${leaves[at]}/grants`, { grants })
  })
  const { memberId, key } = await joinAsMember(url, owner)
  await owner.json('PATCH', `/members/${memberId}`, { group_ids: groupIds.slice(0, GROUPS_OF_MEMBER) })
  return { member: createApi(url, key), rootId, partId: parts[0]!, fewId: middle[0]! }
}

async function foldersIn(api: Api, parentIds: string[], each: number): Promise<string[]> {
  const ids: string[] = []
  await inParallel(parentIds.length * each, AT_ONCE, async (at) => {
    ids[at] = await api.createFolder(`Folder ${at}`, parentIds[Math.floor(at / each)])
  })
  return ids
}

async function joinAsMember(url: string, owner: Api): Promise<{ memberId: string; key: string }> {
  const { data: invited } = await owner.json<{ url: string }>('POST', '/invitations', { role: 'member' })
  const headers = { 'content-type': 'application/json', 'x-docent-session': '1' }
  const accepted = await fetch(`${url}/v1/invitations/accept`, {
    method: 'POST',
    headers,
    body: JSON.stringify({
      token: new URL(invited.url).hash.slice(1),
      email: 'member@example.com',
      name: 'Member',
      password: 'seven kilns glaze at dusk',
    }),
  })
  const { data } = (await accepted.json()) as { data: { identity: { member: { id: string } } } }
  const cookie = accepted.headers
    .getSetCookie()
    .map((one) => one.split(';')[0]!)
    .join('; ')
  const made = await fetch(`${url}/v1/account/api-keys`, {
    method: 'POST',
    headers: { ...headers, cookie },
    body: JSON.stringify({ name: 'Bench' }),
  })
  const { key } = ((await made.json()) as { data: { key: string } }).data
  return { memberId: data.identity.member.id, key }
}
