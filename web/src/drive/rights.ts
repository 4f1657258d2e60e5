import type { KnowledgeBase } from '@docent/sdk'
import { useMe } from '../access/access.ts'
import type { Item } from './items/items.ts'

export const SHARED = 'Another organization shares this with you, for reading only.'
export const LINKED = 'This is kept in step with its source: change it there.'

/** Tells which items may not be changed here, and why. */
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

/** The same for what lies in a folder: whether it takes files and folders. */
export function useTakesNothing(): (folder: KnowledgeBase) => string | undefined {
  const readOnly = useReadOnly()
  return (folder) => readOnly([], folder)
}

/** An integration can be ended with its folder, from outside of it. */
export const isRootOfLink = (item: Item, within: KnowledgeBase | null): boolean =>
  item.kind === 'folder' &&
  item.folder.integration_id !== null &&
  item.folder.integration_id !== (within?.integration_id ?? null)
