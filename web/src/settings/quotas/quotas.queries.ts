import type { Quota, SetQuota } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { queryClient, useWorkspaceId, wholeDocent } from '../../access/access.ts'
import { personById } from '../../people/people.ts'
import { useAllKeys } from '../keys/keys.queries.ts'

export const QUOTAS_PER_PAGE = 50

/** Quotas of the workspace with their use, newest first. @param page from 1 */
export function useQuotas(page: number) {
  const workspaceId = useWorkspaceId()
  return useQuery({
    queryKey: ['quotas', workspaceId, page],
    queryFn: () => wholeDocent().quotas.list(workspaceId, { page, page_size: QUOTAS_PER_PAGE }),
    placeholderData: keepPreviousData,
    // Their use keeps growing.
    staleTime: 0,
  })
}

/** Sets a quota; it replaces the subject's quota for the same period. @throws DocentError */
export async function setQuota(workspaceId: string, quota: SetQuota): Promise<void> {
  await wholeDocent().quotas.set(workspaceId, quota)
  await refreshQuotas()
}

export async function deleteQuota(workspaceId: string, { id }: Quota): Promise<void> {
  await wholeDocent().quotas.delete(workspaceId, id)
  await refreshQuotas()
}

const refreshQuotas = () => queryClient.invalidateQueries({ queryKey: ['quotas'] })

/** Names of the subjects of quotas; deleted ones are marked as such. */
export function useSubjectNames(quotas: Quota[]): (subject: Quota['subject']) => string {
  const workspaceId = useWorkspaceId()
  const ids = [...new Set(quotas.flatMap(({ subject }) => (subject.type === 'virtual_user' ? subject.id! : [])))]
  const people = useQueries({ queries: ids.map((id) => ({ ...personById(workspaceId, id), retry: false })) })
  const { data: keys, isPending } = useAllKeys(quotas.some(({ subject }) => subject.type === 'api_key'))
  return ({ type, id }) => {
    if (type === 'workspace') return t`The workspace`
    if (type === 'any_virtual_user') return t`Each person`
    if (type === 'api_key')
      return keys?.find((key) => key.id === id)?.name ?? (isPending ? '…' : t`A key that was revoked`)
    const person = people[ids.indexOf(id!)]
    if (person?.data) return person.data.name ?? person.data.email
    return person?.isPending ? '…' : t`Removed person`
  }
}
