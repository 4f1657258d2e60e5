import type { Db, Tx } from '../db.ts'
import { slicesOf } from '../platform/database/in-slices.ts'

const A_STATEMENT = 100

/** States by key; keys that are not known are left out. */
export async function findItemStates(
  db: Db,
  organizationId: string,
  integrationId: string,
  keys: readonly string[],
): Promise<Map<string, string>> {
  const states = new Map<string, string>()
  for (const slice of slicesOf([...keys], A_STATEMENT)) {
    const rows = await db
      .selectFrom('integration_item')
      .select(['item_key', 'state'])
      .where('organization_id', '=', organizationId)
      .where('integration_id', '=', integrationId)
      .where('item_key', 'in', slice)
      .execute()
    for (const { item_key, state } of rows) states.set(item_key, state)
  }
  return states
}

interface ItemPage {
  after: string
  limit: number
}

const selectItems = (db: Db, organizationId: string, integrationId: string, { after, limit }: ItemPage) =>
  db
    .selectFrom('integration_item')
    .where('organization_id', '=', organizationId)
    .where('integration_id', '=', integrationId)
    .where('item_key', '>', after)
    .orderBy('item_key')
    .limit(limit)

/** The next keys after one, in order. */
export async function listItemKeys(
  db: Db,
  organizationId: string,
  integrationId: string,
  page: ItemPage,
): Promise<string[]> {
  const rows = await selectItems(db, organizationId, integrationId, page).select('item_key').execute()
  return rows.map(({ item_key }) => item_key)
}

/** The next keys after one with their states, in order. */
export async function listItemStates(
  db: Db,
  organizationId: string,
  integrationId: string,
  page: ItemPage,
): Promise<[key: string, state: string][]> {
  const rows = await selectItems(db, organizationId, integrationId, page).select(['item_key', 'state']).execute()
  return rows.map(({ item_key, state }) => [item_key, state])
}

export async function saveItemStates(
  tx: Tx,
  organizationId: string,
  integrationId: string,
  states: ReadonlyMap<string, string>,
): Promise<void> {
  const rows = [...states].map(([item_key, state]) => ({
    organization_id: organizationId,
    integration_id: integrationId,
    item_key,
    state,
  }))
  for (const slice of slicesOf(rows, A_STATEMENT))
    await tx
      .insertInto('integration_item')
      .values(slice)
      .onConflict((conflict) =>
        conflict
          .columns(['integration_id', 'item_key'])
          .doUpdateSet((of) => ({ state: of.ref('excluded.state') }))
          .where('integration_item.organization_id', '=', organizationId),
      )
      .execute()
}

export async function deleteItems(
  tx: Tx,
  organizationId: string,
  integrationId: string,
  keys: readonly string[],
): Promise<void> {
  for (const slice of slicesOf([...keys], A_STATEMENT))
    await tx
      .deleteFrom('integration_item')
      .where('organization_id', '=', organizationId)
      .where('integration_id', '=', integrationId)
      .where('item_key', 'in', slice)
      .execute()
}
