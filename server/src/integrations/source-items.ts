import type { Db } from '../db.ts'
import { deleteItems, findItemStates, listItemKeys, saveItemStates } from './items.store.ts'
import type { SyncStep } from './sync/sync-step.ts'

const KEYS_A_PAGE = 500

/** State that a source keeps of its items from one sync to the next. */
export interface SourceItems {
  /** States by key; what is not known is left out. */
  find(keys: readonly string[]): Promise<Map<string, string>>
  save(states: ReadonlyMap<string, string>): Promise<void>
  /** Forgets all others. */
  keepOnly(isKept: (key: string) => boolean): Promise<void>
}

/** Items of a source that is only looked at. */
export const noItems: SourceItems = {
  find: async () => new Map(),
  save: async () => {},
  keepOnly: async () => {},
}

/** @param step commits a write, as long as the sync counts */
export const createSourceItems = (
  db: Db,
  { id, organization_id }: { id: string; organization_id: string },
  step: SyncStep,
): SourceItems => ({
  find: (keys) => findItemStates(db, organization_id, id, keys),
  save: (states) =>
    states.size === 0 ? Promise.resolve() : step((tx) => saveItemStates(tx, organization_id, id, states)),
  async keepOnly(isKept) {
    let after = ''
    let keys: string[]
    do {
      keys = await listItemKeys(db, organization_id, id, { after, limit: KEYS_A_PAGE })
      const others = keys.filter((key) => !isKept(key))
      if (others.length > 0) await step((tx) => deleteItems(tx, organization_id, id, others))
      after = keys.at(-1) ?? after
    } while (keys.length === KEYS_A_PAGE)
  },
})
