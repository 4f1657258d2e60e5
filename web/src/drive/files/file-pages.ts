import type { KnowledgeBase } from '@docent/sdk'
import { queryOptions } from '@tanstack/react-query'
import { docent } from '../../access/access.ts'
import { type Item, isIndexing, toItem } from '../items/items.ts'
import { type Order, toQuery } from '../items/order.ts'
import { isFollowed } from './follow-folder.ts'

export const ROWS_PER_PAGE = 100

/** Query of a list of files. */
export interface Listing {
  folder: KnowledgeBase
  /** Part of a name, also searched in folders below. Empty to list the folder itself. */
  search: string
  order: Order
}

export interface FilePage {
  items: Item[]
  total: number
  successful: number
}

/** One page of a folder's files; refreshed while files on it are being indexed. */
export const filePage = ({ folder, search, order }: Listing, page: number) =>
  queryOptions({
    queryKey: ['files', folder._id, search, order, page],
    queryFn: async ({ signal }): Promise<FilePage> => {
      const within = search ? { search_str: search, recursive: true } : {}
      const query = { page, page_size: ROWS_PER_PAGE, ...toQuery(order), ...within }
      const { data_sources, data_sources_count } = await docent().dataSources.list(folder._id, query, { signal })
      return { items: data_sources.map((item) => toItem(item, folder)), ...data_sources_count }
    },
    refetchInterval: ({ state, queryHash }) =>
      isFollowed(folder._id) && !search ? SLOWEST_REFRESH_MS : nextRefreshMs(queryHash, state.data, page),
  })

const FIRST_REFRESH_MS = 800
const SLOWEST_REFRESH_MS = 8_000
/** Number of refreshes without changes, after which a page without active files is left alone. */
const MAX_IDLE_REFRESHES = 20

const seen = new Map<string, { news: string; refreshes: number }>()

/**
 * Delay before the next refresh: short while something changes, then longer and longer; none when all is done. The
 * first page carries the count of indexed files, so it is refreshed while files of other pages are pending.
 */
function nextRefreshMs(hash: string, data: FilePage | undefined, page: number): number | false {
  if (!data) return false
  const isLive = data.items.some((item) => item.kind === 'file' && isIndexing(item.file))
  if (!isLive && (page > 0 || data.successful === data.total)) {
    seen.delete(hash)
    return false
  }
  const news = `${data.successful} ${data.items.map((item) => (item.kind === 'file' ? `${item.file.status[0]}${item.file.indexing?.done ?? ''}` : '')).join('')}`
  const before = seen.get(hash)
  const refreshes = before?.news === news ? before.refreshes + 1 : 0
  seen.set(hash, { news, refreshes })
  if (!isLive && refreshes > MAX_IDLE_REFRESHES) return false
  return Math.min(FIRST_REFRESH_MS * 1.25 ** refreshes, SLOWEST_REFRESH_MS) * (isLive ? 1 : 2)
}
