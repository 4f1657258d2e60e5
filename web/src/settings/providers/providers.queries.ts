import type { CreateSignInProvider, ReplaceSignInProvider, SignInProvider, TestSignInProvider } from '@docent/sdk'
import { useQuery } from '@tanstack/react-query'
import { queryClient, signInOptions, useWorkspaceId, wholeDocent } from '../../access/access.ts'

/** Providers of the workspace, and those of the environment. */
export function useProviders() {
  const workspaceId = useWorkspaceId()
  return useQuery({
    queryKey: ['sign-in-providers', workspaceId],
    queryFn: () => wholeDocent().signInProviders.list(workspaceId),
  })
}

export async function addProvider(workspaceId: string, fields: CreateSignInProvider): Promise<void> {
  await wholeDocent().signInProviders.create(workspaceId, fields)
  await refresh()
}

export async function changeProvider(workspaceId: string, id: string, fields: ReplaceSignInProvider): Promise<void> {
  await wholeDocent().signInProviders.replace(workspaceId, id, fields)
  await refresh()
}

export async function removeProvider(workspaceId: string, { id }: SignInProvider): Promise<void> {
  await wholeDocent().signInProviders.delete(workspaceId, id)
  await refresh()
}

export const testProvider = (workspaceId: string, fields: TestSignInProvider) =>
  wholeDocent().signInProviders.test(workspaceId, fields)

const refresh = () =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: ['sign-in-providers'] }),
    queryClient.invalidateQueries(signInOptions),
  ])
