import type { Db } from '../db.ts'
import { slicesOf } from '../platform/database/in-slices.ts'
import { deleteItems, findItemStates, listItemKeys, listItemStates, saveItemStates } from './items.store.ts'
import type { SyncStep } from './sync/sync-step.ts'

const KEYS_A_PAGE = 500
const WRITTEN_A_STEP = 500

/** State that a source keeps of its items from one sync to the next. */
export interface SourceItems {
  /** States by key; what is not known is left out. */
  find(keys: readonly string[]): Promise<Map<string, string>>
  save(states: ReadonlyMap<string, string>): Promise<void>
  /** All of them, by key. */
  list(): AsyncIterable<[key: string, state: string]>
  remove(keys: readonly string[]): Promise<void>
  /** Forgets all others. */
  keepOnly(isKept: (key: string) => boolean): Promise<void>
}

/** Items of a source that is only looked at. */
export const noItems: SourceItems = {
  find: async () => new Map(),
  save: async () => {},
  async *list() {},
  remove: async () => {},
  keepOnly: async () => {},
}

/** @param step commits a write, as long as the sync counts */
export const createSourceItems = (
  db: Db,
  { id, organization_id }: { id: string; organization_id: string },
  step: SyncStep,
): SourceItems => ({
  find: (keys) => findItemStates(db, organization_id, id, keys),
  async save(states) {
    for (const slice of slicesOf([...states], WRITTEN_A_STEP))
      await step((tx) => saveItemStates(tx, organization_id, id, new Map(slice)))
  },
  async *list() {
    let after = ''
    let page: [string, string][]
    do {
      page = await listItemStates(db, organization_id, id, { after, limit: KEYS_A_PAGE })
      yield* page
      after = page.at(-1)?.[0] ?? after
    } while (page.length === KEYS_A_PAGE)
  },
  async remove(keys) {
    for (const slice of slicesOf([...keys], WRITTEN_A_STEP))
      await step((tx) => deleteItems(tx, organization_id, id, slice))
  },
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
