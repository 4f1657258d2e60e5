import type { KnowledgeBase } from '@docent/sdk'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { queryClient } from '../../access/access.ts'
import { forEachAtOnce } from '../../platform/state/for-each-at-once.ts'
import { retryWhileLimited } from '../../platform/state/retry-while-limited.ts'
import { unawaited } from '../../ui/unawaited.ts'
import { useFolders } from '../drive.queries.ts'
import { type FilePage, filePage, type Listing, ROWS_PER_PAGE } from '../files/file-pages.ts'
import { findEverywhere } from '../search/find-everywhere.ts'
import { useHidden } from './hidden.ts'
import { folderItem, type Item, isIndexing } from './items.ts'
import type { Order } from './order.ts'

/** Visible rows; the last one is included. */
export interface RowRange {
  first: number
  last: number
}

const PAGES_AT_ONCE = 5

/** Rows of a folder listing. There may be thousands: only visible ones are read. */
export interface Contents {
  rows: number
  /** Undefined while loading. */
  itemAt(row: number): Item | undefined
  /** Items of the given rows; loads missing ones. */
  itemsIn(range: RowRange): Promise<Item[]>
  /** Number of files, and of indexed ones; undefined where there are none. */
  counts: { total: number; successful: number } | undefined
  /** Whether visible files are being indexed. */
  isLive: boolean
  isLoading: boolean
  /** Whether the rows are those of the previous query, shown until the new ones arrive. */
  isOld: boolean
  error: Error | null
  retry: () => void
}

export interface RowQuery {
  /** Null for the root. */
  folder: KnowledgeBase | null
  search: string
  order: Order
  /** Tag of folders to filter by; null for any. */
  tag: string | null
  visible: RowRange
}

export function useContents(wanted: RowQuery): Contents {
  const { folder, search } = wanted
  const top = useTopFolders(wanted)
  // Files have no tags.
  const hasFiles = folder !== null && wanted.tag === null
  const listing = hasFiles ? { folder, search, order: wanted.order } : null
  const inFolder = useFilePages(listing, top.folders.length, wanted.visible)
  const everywhere = useQuery({ ...findEverywhere(search), enabled: folder === null && search !== '' })
  const hidden = useHidden()

  const isReady = hasFiles ? inFolder.isReady : search ? everywhere.data !== undefined : top.isReady
  const current = useMemo((): Pick<Contents, 'rows' | 'itemAt' | 'itemsIn' | 'counts' | 'isLive'> => {
    const found = folder === null && search !== '' ? (everywhere.data ?? []) : top.folders
    const total = found.length + (inFolder.total ?? 0)
    const at = (row: number) => (row < found.length ? found[row] : inFolder.itemAt(row - found.length))
    const load = async (row: number) => (row < found.length ? found[row] : inFolder.load(row - found.length))
    // Hidden items leave no gap.
    const shown =
      hidden.size === 0
        ? undefined
        : Array.from({ length: total }, (_, row) => row).filter((row) => !hidden.has(at(row)?.id ?? ''))
    const toRawRow = (row: number) => (shown ? shown[row]! : row)
    return {
      rows: shown?.length ?? total,
      itemAt: (row) => at(toRawRow(row)),
      async itemsIn({ first, last }) {
        const items: Item[] = []
        await inFolder.loadAll(toRawRow(first) - found.length, toRawRow(last) - found.length)
        for (let row = first; row <= last; row++) items.push((await load(toRawRow(row)))!)
        return items.filter((item) => item !== undefined && !hidden.has(item.id))
      },
      counts: inFolder.counts,
      isLive: inFolder.isLive,
    }
  }, [folder, search, everywhere.data, top.folders, inFolder, hidden])

  const last = useRef(current)
  if (isReady) last.current = current
  const error = top.error ?? inFolder.error ?? everywhere.error
  return {
    ...(isReady ? current : last.current),
    isLoading: !isReady && last.current.rows === 0,
    isOld: !isReady,
    error,
    retry() {
      unawaited(top.refetch())
      inFolder.refetch()
      if (search) unawaited(everywhere.refetch())
    },
  }
}

/** Folders listed before the files; none in a search, whose results include folders. */
function useTopFolders({ folder, search, tag }: RowQuery) {
  const { data, error, refetch } = useFolders(folder?._id ?? null)
  const folders = useMemo(
    () =>
      search
        ? []
        : (data ?? [])
            .filter(({ user_defined_tags }) => tag === null || user_defined_tags.includes(tag))
            .map(folderItem),
    [data, search, tag],
  )
  return { folders, isReady: data !== undefined, error, refetch }
}

/** Pages of files that hold the visible rows, and the first page. */
function useFilePages(listing: Listing | null, rowsBefore: number, { first, last }: RowRange) {
  const from = Math.max(0, Math.floor((first - rowsBefore) / ROWS_PER_PAGE))
  const to = Math.max(0, Math.floor((last - rowsBefore) / ROWS_PER_PAGE))
  const pages = listing ? [...new Set([0, ...Array.from({ length: to - from + 1 }, (_, n) => from + n)])] : []
  return useQueries({
    queries: pages.map((page) => filePage(listing!, page)),
    combine: (results) => {
      const loaded = new Map<number, FilePage>()
      for (const [index, { data }] of results.entries()) if (data) loaded.set(pages[index]!, data)
      const newest = results.toSorted((a, b) => b.dataUpdatedAt - a.dataUpdatedAt)[0]?.data
      /** A cached page is good enough until it is visible. */
      const known = (page: number) =>
        loaded.get(page) ?? (listing ? queryClient.getQueryData(filePage(listing, page).queryKey) : undefined)
      return {
        isReady: listing !== null && newest !== undefined,
        total: newest?.total,
        counts: newest && !listing?.search ? { total: newest.total, successful: newest.successful } : undefined,
        isLive: [...loaded.values()].some(({ items }) =>
          items.some((item) => item.kind === 'file' && isIndexing(item.file)),
        ),
        error: results.find(({ error }) => error)?.error ?? null,
        itemAt: (row: number) => known(Math.floor(row / ROWS_PER_PAGE))?.items[row % ROWS_PER_PAGE],
        load: async (row: number) => {
          const page = Math.floor(row / ROWS_PER_PAGE)
          const data = known(page) ?? (await retryWhileLimited(() => queryClient.fetchQuery(filePage(listing!, page))))
          return data.items[row % ROWS_PER_PAGE]
        },
        loadAll: async (first: number, last: number) => {
          const missing: number[] = []
          for (let page = Math.floor(Math.max(0, first) / ROWS_PER_PAGE); page * ROWS_PER_PAGE <= last; page++)
            if (!known(page)) missing.push(page)
          await forEachAtOnce(missing, PAGES_AT_ONCE, async (page) => {
            await retryWhileLimited(() => queryClient.fetchQuery(filePage(listing!, page)))
          })
        },
        refetch: () => {
          for (const { refetch } of results) unawaited(refetch())
        },
      }
    },
  })
}
