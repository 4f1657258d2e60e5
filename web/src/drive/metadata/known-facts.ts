import { useQueries } from '@tanstack/react-query'
import { recentFilesIn } from '../drive.queries.ts'

const MOST_FOLDERS = 5

/** Metadata of some files: texts by key, to suggest while somebody types. */
export type KnownFacts = ReadonlyMap<string, ReadonlySet<string>>

/** Keys and texts in the metadata of the newest files of folders. */
export function useKnownFacts(folderIds: readonly string[]): KnownFacts {
  return useQueries({
    queries: folderIds.slice(0, MOST_FOLDERS).map(recentFilesIn),
    combine(found) {
      const known = new Map<string, Set<string>>()
      for (const { metadata } of found.flatMap(({ data }) => data ?? []))
        for (const [key, value] of Object.entries(metadata)) {
          const texts = known.get(key) ?? new Set<string>()
          for (const item of [value].flat()) if (typeof item === 'string') texts.add(item)
          known.set(key, texts)
        }
      return known
    },
  })
}
