import type { AuditEntry } from '@docent/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMe, useWorkspaceId, wholeDocent } from '../../access/access.ts'

export const ENTRIES_PER_PAGE = 50

type Entry = Pick<AuditEntry, 'target' | 'actor' | 'details'>

/** Own chat that an entry is about; undefined for that of somebody else, whose title is not for the reader of the log. */
export function useOwnChat({ target, actor, details }: Entry) {
  const { data: me } = useMe()
  const agentId = typeof details.agent_id === 'string' ? details.agent_id : ''
  const isOwn = actor.member_id !== null && actor.member_id === me?.member?.id
  const { data: chat } = useQuery({
    queryKey: ['chat', agentId, target.id],
    queryFn: () => wholeDocent().chats.get(agentId, target.id),
    enabled: isOwn && agentId !== '',
    retry: false,
  })
  return chat
}

type AuditQuery = NonNullable<Parameters<ReturnType<typeof wholeDocent>['auditLog']['list']>[1]>
export type AuditFilter = Pick<AuditQuery, 'target_type' | 'from' | 'to' | 'actor' | 'member_id'>

/** Entries, newest first. @param page from 1 */
export function useAuditLog(filter: AuditFilter, page: number) {
  const workspaceId = useWorkspaceId()
  return useQuery({
    queryKey: ['audit-log', workspaceId, filter, page],
    queryFn: () => wholeDocent().auditLog.list(workspaceId, { ...filter, page, page_size: ENTRIES_PER_PAGE }),
    placeholderData: keepPreviousData,
  })
}
