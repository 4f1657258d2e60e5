import type { Identity } from '@docent/sdk'
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { docent, identity, isVisitor, signedInClient } from './session/session.ts'

const me = queryOptions({
  queryKey: ['me'],
  queryFn: () => docent().me(),
  initialData: identity,
  staleTime: 300_000,
})

/** Ways to sign in that the server offers. */
export const signInOptions = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: () => signedInClient().session.options(),
  staleTime: Number.POSITIVE_INFINITY,
})

/** Identity of the signed-in key. */
export const useMe = () => useQuery({ ...me, enabled: !isVisitor() })

/** Account that is signed in, with its workspaces. @param isEnabled false for a session of a key, which has none */
export const useAccount = (isEnabled: boolean) =>
  useQuery({ queryKey: ['account'], queryFn: () => docent().account.get(), enabled: isEnabled, staleTime: 60_000 })

/** Reads again what the session knows of the person. */
export const refreshAccount = (client: QueryClient) =>
  Promise.all([client.invalidateQueries({ queryKey: ['account'] }), client.invalidateQueries({ queryKey: ['me'] })])

export type Permission = Identity['key']['permissions'][number]

/** Whether the key has a permission; no visitor has any. True while unknown: the server decides. */
export function useMay(permission: Permission): boolean {
  const { data } = useMe()
  if (isVisitor()) return false
  return data?.key.role !== 'member' || data.key.permissions.includes(permission)
}

/** Whether the key is an admin's or an owner's. */
export const useIsAdmin = (): boolean => useMe().data?.key.role !== 'member'

/** Id of the workspace that the key belongs to. */
export const useWorkspaceId = (): string => useMe().data!.workspace.id
