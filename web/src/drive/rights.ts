import type { KnowledgeBase } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { useQueries } from '@tanstack/react-query'
import { docent, queryClient, useIsAdmin, useMe } from '../access/access.ts'
import type { Item } from './items/items.ts'

export const SHARED = t`Another organization shares this with you, for reading only.`
export const LINKED = t`This is synced from its source: change it there.`
export const ONLY_READ = t`You may read this, not change it.`

type Level = 'none' | 'read' | 'write' | 'manage'

/** Right of a member to a folder; null where nothing tells it apart from that of their role. */
const levelIn = (folderId: string, memberId: string) => ({
  queryKey: ['folder-grants', folderId, 'own'],
  async queryFn(): Promise<Level | null> {
    const { can_change, people } = await docent().knowledgeBases.grants.get(folderId)
    return can_change ? 'manage' : (people.find(({ id }) => id === memberId)?.level ?? null)
  },
  staleTime: 60_000,
})

const knownLevel = (folderId: string): Level | null | undefined =>
  queryClient.getQueryData<Level | null>(['folder-grants', folderId, 'own'])

/** Folders whose right decides what may be done with items. */
const foldersOf = (items: Item[], within: KnowledgeBase | null): string[] => [
  ...new Set([
    ...items.map((item) => (item.kind === 'file' ? item.file.knowledge_base_id : item.id)),
    ...(within ? [within._id] : []),
  ]),
]

const MOST_ASKED = 20

/**
 * Returns a function that tells whether the person's right to folders lets them write items; true where that is not
 * known, since the server decides.
 * @param asked items, and the folder that shows them, whose rights are asked for: of others only those that are known
 */
export function useMayWrite(
  asked: Item[] = [],
  shownIn?: KnowledgeBase | null,
): (items: Item[], within: KnowledgeBase | null) => boolean {
  const isAdmin = useIsAdmin()
  const memberId = useMe().data?.member?.id
  // Admins manage all folders, and a program's key has no entry among the people.
  const folderIds = isAdmin || !memberId ? [] : foldersOf(asked, shownIn ?? null).slice(0, MOST_ASKED)
  useQueries({ queries: folderIds.map((id) => levelIn(id, memberId!)) })
  const canWrite = (id: string, otherwise: boolean) => {
    const level = knownLevel(id)
    return level === undefined ? otherwise : level === null || level === 'write' || level === 'manage'
  }
  return (items, within) => {
    if (isAdmin || !memberId) return true
    // Items of a folder have its right, unless another one is known.
    const isOpen = !within || canWrite(within._id, true)
    return items.length === 0 ? isOpen : foldersOf(items, null).every((id) => canWrite(id, isOpen))
  }
}

/**
 * Returns a function that gives the reason why items are read-only here; undefined if they can be changed.
 * @param asked see `useMayWrite`
 */
export function useReadOnly(
  asked: Item[] = [],
  shownIn?: KnowledgeBase | null,
): (items: Item[], within: KnowledgeBase | null) => string | undefined {
  const { data } = useMe()
  const own = data?.organization.id
  const mayWrite = useMayWrite(asked, shownIn)
  const isShared = (folder: KnowledgeBase) => own !== undefined && folder.organization_id !== own
  return (items, within) => {
    const folders = items.flatMap((item) => (item.kind === 'folder' ? [item.folder] : []))
    if ((within && isShared(within)) || folders.some(isShared)) return SHARED
    if (within?.integration_id || folders.some(({ integration_id }) => integration_id)) return LINKED
    return mayWrite(items, within) ? undefined : ONLY_READ
  }
}

/** Returns a function that gives the reason why a folder accepts no files and folders; undefined if it does. */
export function useReadOnlyReason(shown?: KnowledgeBase | null): (folder: KnowledgeBase) => string | undefined {
  const readOnly = useReadOnly([], shown)
  return (folder) => readOnly([], folder)
}

/** Whether an item is the folder of an integration, seen from outside of it: deleting it ends the integration. */
export const isRootOfLink = (item: Item, within: KnowledgeBase | null): boolean =>
  item.kind === 'folder' &&
  item.folder.integration_id !== null &&
  item.folder.integration_id !== (within?.integration_id ?? null)
