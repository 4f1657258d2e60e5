import type { FolderGrants, MemberGroup, SetFolderGrants } from '@docent/sdk'
import { useQuery } from '@tanstack/react-query'
import { docent, queryClient, useIsAdmin, useWorkspaceId, wholeDocent } from '../../access/access.ts'
import { refreshFolders } from '../drive.queries.ts'

const grantsKey = (folderId: string) => ['folder-grants', folderId]

/** Rights to a folder, for those who manage it: others get the error 403. Read again each time a dialog opens. */
export const useFolderGrants = (folderId: string) =>
  useQuery({
    queryKey: grantsKey(folderId),
    queryFn: () => docent().knowledgeBases.grants.get(folderId),
    gcTime: 0,
  })

/** All groups of the workspace, by name; undefined for those who may not list them. */
export function useAllGroups(): MemberGroup[] | undefined {
  const workspaceId = useWorkspaceId()
  const isAdmin = useIsAdmin()
  return useQuery({
    queryKey: ['groups', workspaceId, 'all'],
    enabled: isAdmin,
    async queryFn() {
      const groups: MemberGroup[] = []
      for (let page = 1; ; page++) {
        const found = await wholeDocent().groups.list({ page, page_size: 100 })
        groups.push(...found.groups)
        if (!found.has_more) return groups
      }
    },
  }).data
}

/** Replaces all grants of a folder. Folders are read again: some may be seen, and others not, from now on. */
export async function saveFolderGrants(folderId: string, chosen: SetFolderGrants['grants']): Promise<FolderGrants> {
  const grants = await docent().knowledgeBases.grants.set(folderId, chosen)
  queryClient.setQueryData(grantsKey(folderId), grants)
  await Promise.all([queryClient.invalidateQueries({ queryKey: ['folder-grants'] }), refreshFolders()])
  return grants
}
