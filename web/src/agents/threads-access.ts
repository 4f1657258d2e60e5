import type { SetThreadsAccess, ThreadsAccess } from '@docent/sdk'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { docent, isVisitor, queryClient, useMe } from '../access/access.ts'
import { formatList } from '../platform/format.ts'

const accessQuery = (agentId: string) =>
  queryOptions({
    queryKey: ['threads-access', agentId],
    queryFn: () => docent().agents.threadsAccess.get(agentId),
  })

/** Readers of the chats that others have with the agent; asked only for people, whose chats are their own. */
export function useThreadsAccess(agentId: string) {
  const isPerson = Boolean(useMe().data?.member)
  return useQuery({ ...accessQuery(agentId), enabled: isPerson && !isVisitor() })
}

export async function saveThreadsAccess(agentId: string, access: SetThreadsAccess): Promise<void> {
  queryClient.setQueryData(accessQuery(agentId).queryKey, await docent().agents.threadsAccess.set(agentId, access))
}

/** `Admins and owners of the workspace, Bob and the group Review`; undefined for nobody. */
export function namesOfReaders({ admins, members, groups }: ThreadsAccess): string | undefined {
  const names = [
    ...(admins ? ['admins and owners of the workspace'] : []),
    ...members.map(({ name }) => name),
    ...groups.map(({ name }) => `the group ${name}`),
  ]
  return names.length === 0 ? undefined : formatList(names)
}
