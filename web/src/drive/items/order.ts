import { t } from '@lingui/core/macro'
import { createStore, useStore } from '../../platform/state/store.ts'

export const ORDERS = {
  created_at: t`Added`,
  title: t`Name`,
  size_bytes: t`Size`,
} as const

/** Order of files. Folders come first, by name. */
export interface Order {
  by: keyof typeof ORDERS
  isReversed: boolean
}

const order = createStore<Order>({ by: 'created_at', isReversed: false })

export const useOrder = (): Order => useStore(order)

/** Orders by a column, or reverses the order if it is already the one. */
export const orderBy = (by: Order['by']): void =>
  order.set((now) => ({ by, isReversed: now.by === by && !now.isReversed }))

/** Direction of the arrow in a column's header: names start with A, dates and sizes with the newest and largest. */
export const isAscending = ({ by, isReversed }: Order): boolean => (by === 'title') !== isReversed

export const toQuery = (now: Order) => ({
  order_by: now.by,
  order: isAscending(now) ? ('asc' as const) : ('desc' as const),
})
