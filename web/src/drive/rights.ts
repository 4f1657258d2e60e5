import type { KnowledgeBase } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { useMe } from '../access/access.ts'
import type { Item } from './items/items.ts'

export const SHARED = t`Another organization shares this with you, for reading only.`
export const LINKED = t`This is synced from its source: change it there.`

/** Returns a function that gives the reason why items are read-only here; undefined if they can be changed. */
export function useReadOnly(): (items: Item[], within: KnowledgeBase | null) => string | undefined {
  const { data } = useMe()
  const own = data?.organization.id
  const isShared = (folder: KnowledgeBase) => own !== undefined && folder.organization_id !== own
  return (items, within) => {
    const folders = items.flatMap((item) => (item.kind === 'folder' ? [item.folder] : []))
    if ((within && isShared(within)) || folders.some(isShared)) return SHARED
    if (within?.integration_id || folders.some(({ integration_id }) => integration_id)) return LINKED
    return undefined
  }
}

/** Returns a function that gives the reason why a folder accepts no files and folders; undefined if it does. */
export function useReadOnlyReason(): (folder: KnowledgeBase) => string | undefined {
  const readOnly = useReadOnly()
  return (folder) => readOnly([], folder)
}

/** Whether an item is the folder of an integration, seen from outside of it: deleting it ends the integration. */
export const isRootOfLink = (item: Item, within: KnowledgeBase | null): boolean =>
  item.kind === 'folder' &&
  item.folder.integration_id !== null &&
  item.folder.integration_id !== (within?.integration_id ?? null)
