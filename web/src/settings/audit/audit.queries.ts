import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useWorkspaceId, wholeDocent } from '../../access/access.ts'

export const ENTRIES_PER_PAGE = 50

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
