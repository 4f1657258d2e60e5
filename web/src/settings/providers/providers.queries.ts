import type { CreateSignInProvider, ReplaceSignInProvider, SignInProvider, TestSignInProvider } from '@docent/sdk'
import { useQuery } from '@tanstack/react-query'
import { docent, queryClient, signInOptions, useWorkspaceId } from '../../access/access.ts'

/** Providers of the workspace, and those of the environment. */
export function useProviders() {
  const workspaceId = useWorkspaceId()
  return useQuery({
    queryKey: ['sign-in-providers', workspaceId],
    queryFn: () => docent().signInProviders.list(workspaceId),
  })
}

export async function addProvider(workspaceId: string, fields: CreateSignInProvider): Promise<void> {
  await docent().signInProviders.create(workspaceId, fields)
  await refresh()
}

export async function changeProvider(workspaceId: string, id: string, fields: ReplaceSignInProvider): Promise<void> {
  await docent().signInProviders.replace(workspaceId, id, fields)
  await refresh()
}

export async function removeProvider(workspaceId: string, { id }: SignInProvider): Promise<void> {
  await docent().signInProviders.delete(workspaceId, id)
  await refresh()
}

export const testProvider = (workspaceId: string, fields: TestSignInProvider) =>
  docent().signInProviders.test(workspaceId, fields)

const refresh = () =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: ['sign-in-providers'] }),
    queryClient.invalidateQueries(signInOptions),
  ])
