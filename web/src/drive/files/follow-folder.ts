import type { DataSource } from '@docent/sdk'
import { useEffect } from 'react'
import { docent, queryClient } from '../../access/access.ts'
import type { Item } from '../items/items.ts'

/** News that come together, of files that were added together, are one look at the folder. */
const GATHER_MS = 300

const followed = new Set<string>()

/** Whether the server tells what happens in a folder, so that there is no need to ask. */
export const isFollowed = (folderId: string): boolean => followed.has(folderId)

/**
 * Follows a folder while files in it are being read. Where that fails, lists are asked for again and again as before.
 */
export function useFollowed(folderId: string | null, isLive: boolean): void {
  useEffect(() => {
    if (!folderId || !isLive) return
    const left = new AbortController()
    follow(folderId, left.signal)
      // A server that is away, or streams enough: anyone who looks at the folder asks for it meanwhile.
      .catch(() => {})
      .finally(() => followed.delete(folderId))
    return () => left.abort()
  }, [folderId, isLive])
}

async function follow(folderId: string, signal: AbortSignal): Promise<void> {
  let isGathering = false
  const onOpen = () => {
    followed.add(folderId)
  }
  const refresh = () => {
    isGathering = false
    queryClient.invalidateQueries({ queryKey: ['files', folderId] }).catch(() => {})
  }
  for await (const event of docent().knowledgeBases.follow(folderId, { signal, onOpen })) {
    const file = event.type === 'reset' ? null : event.data_source
    if (file) show(folderId, file)
    if (event.type !== 'stage' && !isGathering) {
      isGathering = true
      setTimeout(refresh, GATHER_MS)
    }
    if (event.type !== 'reset' && !file) await queryClient.invalidateQueries({ queryKey: ['file', folderId] })
  }
}

/** Shows a file as it is now, wherever it was read. */
function show(folderId: string, file: DataSource): void {
  queryClient.setQueryData(['file', folderId, file.id], (before: DataSource | undefined) =>
    before ? { ...before, ...file } : undefined,
  )
  queryClient.setQueriesData({ queryKey: ['files', folderId] }, (page: { items: Item[] } | undefined) =>
    page?.items.some(({ id }) => id === file.id)
      ? {
          ...page,
          items: page.items.map((item) =>
            item.kind === 'file' && item.id === file.id ? { ...item, name: file.title, file } : item,
          ),
        }
      : page,
  )
}
