import { queryOptions, useQuery } from '@tanstack/react-query'
import { docent } from './session.ts'

const me = queryOptions({ queryKey: ['me'], queryFn: () => docent().me(), staleTime: 300_000 })

/** Who the key stands for. */
export const useMe = () => useQuery(me)

/** Whether the key may do it; what is not known yet counts as allowed, for the server decides. */
export function useMay(permission: 'create_knowledgebase' | 'manage_agents'): boolean {
  const { data } = useMe()
  return data?.key.role !== 'member' || data.key.permissions.includes(permission)
}
