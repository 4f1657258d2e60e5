import type { Item } from './items.ts'

/** Selected rows, the row that keys act on, and the one from which Shift selects. */
export interface Selection {
  items: ReadonlyMap<string, Item>
  active: number
  anchor: number
}

export const NOTHING: Selection = { items: new Map(), active: 0, anchor: 0 }

const indexById = (items: Item[]) => new Map(items.map((item) => [item.id, item]))

/** Selects only this row. */
export const choose = (item: Item, row: number): Selection => ({ items: indexById([item]), active: row, anchor: row })

/** Toggles a row. */
export function toggle({ items }: Selection, item: Item, row: number): Selection {
  const next = new Map(items)
  if (!next.delete(item.id)) next.set(item.id, item)
  return { items: next, active: row, anchor: row }
}

/** Selects `items`, the ones from the anchor to the row. */
export const chooseRange = ({ anchor }: Selection, items: Item[], row: number): Selection => ({
  items: indexById(items),
  active: row,
  anchor,
})

/** Selects every item. */
export const chooseAll = (selection: Selection, items: Item[]): Selection => ({ ...selection, items: indexById(items) })

export const chooseNone = ({ active }: Selection): Selection => ({ items: new Map(), active, anchor: active })

/** Moves to a row without selecting it. */
export const goTo = (selection: Selection, row: number): Selection => ({ ...selection, active: row, anchor: row })

/** Row that a key moves to, among `rows` rows of which `page` fit on the screen; undefined for other keys. */
export function rowAfter(key: string, row: number, rows: number, page: number): number | undefined {
  const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -rows, End: rows }[key]
  return step === undefined ? undefined : Math.max(0, Math.min(rows - 1, row + step))
}
