interface Sender {
  call(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }>
}

interface Subject {
  id: string
  level: string
}

/** Body that sets the grants of a folder to people of a workspace. */
export const folderGrants = (
  workspaceId: string,
  { everyone, members = [], groups = [] }: { everyone?: string; members?: Subject[]; groups?: Subject[] },
) => ({
  grants: [
    ...(everyone === undefined ? [] : [{ kind: 'workspace', id: workspaceId, level: everyone }]),
    ...members.map((grant) => ({ kind: 'member', ...grant })),
    ...groups.map((grant) => ({ kind: 'group', ...grant })),
  ],
})

export interface Granted {
  admins?: boolean
  member_ids?: string[]
  group_ids?: string[]
}

/** Puts grants of one level of an agent in place of those that are there, and leaves the others. @param at path of the agent */
export async function grantAgent(
  as: Sender,
  at: string,
  level: 'use' | 'edit' | 'threads',
  { admins = false, member_ids = [], group_ids = [] }: Granted,
) {
  const { grants = [], workspace_id: id } = (await as.call('GET', `${at}/grants`)).body.data ?? {}
  const isOther = (grant: Subject) => grant.level !== level && (level !== 'use' || grant.level !== 'none')
  return as.call('PUT', `${at}/grants`, {
    grants: [
      ...grants.filter(isOther).map(({ name: _, ...grant }: { name: string }) => grant),
      ...(admins ? [{ kind: 'admins', id, level }] : []),
      ...member_ids.map((id) => ({ kind: 'member', id, level })),
      ...group_ids.map((id) => ({ kind: 'group', id, level })),
    ],
  })
}

/** Lets only these use an agent, beside those who always may. */
export async function restrictAgent(as: Sender, at: string, to: Granted) {
  if ((to.member_ids ?? []).length + (to.group_ids ?? []).length > 0) return grantAgent(as, at, 'use', to)
  const { grants = [], workspace_id: id } = (await as.call('GET', `${at}/grants`)).body.data ?? {}
  const kept = grants.filter(({ level }: Subject) => level !== 'use' && level !== 'none')
  const sent = kept.map(({ name: _, ...grant }: { name: string }) => grant)
  return as.call('PUT', `${at}/grants`, { grants: [{ kind: 'workspace', id, level: 'none' }, ...sent] })
}
