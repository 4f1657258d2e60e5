import type { FolderAccess, MemberGroup, SetFolderAccess } from '@docent/sdk'
import { useQuery } from '@tanstack/react-query'
import { docent, queryClient, useIsAdmin, useWorkspaceId } from '../../access/access.ts'
import { refreshFolders } from '../drive.queries.ts'

const accessKey = (folderId: string) => ['folder-access', folderId]

/** Rights to a folder, for those who manage it: others get the error 403. Read anew each time a dialog opens. */
export const useFolderAccess = (folderId: string) =>
  useQuery({
    queryKey: accessKey(folderId),
    queryFn: () => docent().knowledgeBases.access.get(folderId),
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
        const found = await docent().groups.list(workspaceId, { page, page_size: 100 })
        groups.push(...found.groups)
        if (!found.has_more) return groups
      }
    },
  }).data
}

/** Replaces all entries of a folder. Folders are read again: some may be seen, and others not, from now on. */
export async function saveFolderAccess(folderId: string, chosen: SetFolderAccess): Promise<FolderAccess> {
  const access = await docent().knowledgeBases.access.set(folderId, chosen)
  queryClient.setQueryData(accessKey(folderId), access)
  await Promise.all([queryClient.invalidateQueries({ queryKey: ['folder-access'] }), refreshFolders()])
  return access
}
