import { createStore, useStore } from '../../platform/store.ts'

export const ORDERS = {
  created_at: 'Added',
  title: 'Name',
  size_bytes: 'Size',
} as const

/** What files are ordered by, and which way. Folders come first, by name. */
export interface Order {
  by: keyof typeof ORDERS
  isReversed: boolean
}

const order = createStore<Order>({ by: 'created_at', isReversed: false })

export const useOrder = (): Order => useStore(order)

/** Orders by it; the other way round if that is what it is ordered by already. */
export const orderBy = (by: Order['by']): void =>
  order.set((now) => ({ by, isReversed: now.by === by && !now.isReversed }))

/** Which way arrows point: names begin with A, dates and sizes with the newest and largest. */
export const isAscending = ({ by, isReversed }: Order): boolean => (by === 'title') !== isReversed

export const toQuery = (now: Order) => ({
  order_by: now.by,
  order: isAscending(now) ? ('asc' as const) : ('desc' as const),
})
