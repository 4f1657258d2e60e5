import type { Item } from './items.ts'

/** Rows that are chosen, the row that keys act upon, and the one from which Shift chooses. */
export interface Selection {
  items: ReadonlyMap<string, Item>
  active: number
  anchor: number
}

export const NOTHING: Selection = { items: new Map(), active: 0, anchor: 0 }

const mapOf = (items: Item[]) => new Map(items.map((item) => [item.id, item]))

/** This one and no other. */
export const choose = (item: Item, row: number): Selection => ({ items: mapOf([item]), active: row, anchor: row })

/** Adds it, or takes it away. */
export function toggle({ items }: Selection, item: Item, row: number): Selection {
  const next = new Map(items)
  if (!next.delete(item.id)) next.set(item.id, item)
  return { items: next, active: row, anchor: row }
}

/** All from the anchor to the row, which the items are. */
export const chooseRange = ({ anchor }: Selection, items: Item[], row: number): Selection => ({
  items: mapOf(items),
  active: row,
  anchor,
})

/** Every item there is. */
export const chooseAll = (selection: Selection, items: Item[]): Selection => ({ ...selection, items: mapOf(items) })

export const chooseNone = ({ active }: Selection): Selection => ({ items: new Map(), active, anchor: active })

/** Goes to a row without choosing it. */
export const goTo = (selection: Selection, row: number): Selection => ({ ...selection, active: row, anchor: row })

/** Where a key leads from a row of `rows`, of which `page` fit on the screen; undefined for other keys. */
export function rowAfter(key: string, row: number, rows: number, page: number): number | undefined {
  const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -rows, End: rows }[key]
  return step === undefined ? undefined : Math.max(0, Math.min(rows - 1, row + step))
}
