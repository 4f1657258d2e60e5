import { hash } from 'node:crypto'
import { createLruCache } from '../../../platform/lru-cache.ts'
import type { SearchQuery } from '../../engine.ts'
import type { Candidate, Reads } from './lance-reads.ts'

/** Least number of ids for a scan; with fewer the index of their column is fastest. */
const IDS_MIN = 100
/** Rows that are read at most, as a multiple of those that are wanted: more of them cost as much as a filter. */
const ROWS_MAX = 6
/** Rows beyond the mean, so that a second query is seldom needed. */
const SPARE = 1.5
const SPARE_ROWS = 10
const SHARE_AFTER_MISS = 0.9
const FILTERS_MAX = 500
const CACHED_MS = 600_000

export type FilteredReads = ReturnType<typeof createFilteredReads>

/**
 * A filter of thousands of ids takes longer than the search itself. Where it lets some 30 % of the passages or more
 * through, the best of all are read instead and narrowed here, which gives the same candidates. How many a filter lets
 * through is counted beside its first search.
 */
export function createFilteredReads({ findByWords, countPassages }: Pick<Reads, 'findByWords' | 'countPassages'>) {
  /** Parts of all passages, by filter. */
  const shares = createLruCache<number>(FILTERS_MAX, { ttl: CACHED_MS })

  async function learnShare(key: string, filter: string): Promise<void> {
    // Searches that come meanwhile filter as well, and do not count.
    shares.set(key, 0)
    const [passing, all] = await Promise.all([countPassages(filter), countPassages()])
    shares.set(key, all > 0 ? passing / all : 0)
  }

  /** @param query what `filter` says, as lists */
  async function findNarrowed(
    words: string,
    query: SearchQuery,
    filter: string,
    limit: number,
    scan: boolean,
  ): Promise<Candidate[]> {
    const findFiltered = async () => (await findByWords(words, filter, limit, scan)).candidates
    if (idCount(query) < IDS_MIN) return findFiltered()
    const key = hash('sha1', filter, 'base64')
    const share = shares.get(key)
    if (share === undefined) return (await Promise.all([findFiltered(), learnShare(key, filter)]))[0]
    const rows = Math.ceil((limit / share) * SPARE) + SPARE_ROWS
    if (rows > limit * ROWS_MAX) return findFiltered()
    const { candidates, isAll } = await findByWords(words, undefined, rows, scan)
    const admitted = candidates.filter(toCandidateFilter(query))
    if (isAll || admitted.length >= limit) return admitted.slice(0, limit)
    // The question is about passages that the filter keeps out; a filter that often does so is left to the index.
    shares.set(key, share * SHARE_AFTER_MISS)
    return findFiltered()
  }

  return {
    /** Best by words of those that pass the filter, best first. */
    findByWords: async (
      words: string,
      query: SearchQuery,
      filter: string | undefined,
      limit: number,
      scan: boolean,
    ): Promise<Candidate[]> =>
      filter
        ? findNarrowed(words, query, filter, limit, scan)
        : (await findByWords(words, undefined, limit, scan)).candidates,
  }
}

const idCount = ({ groupIds = [], documentIds = [], exceptDocumentIds = [] }: SearchQuery) =>
  groupIds.length + documentIds.length + exceptDocumentIds.length

function toCandidateFilter({
  groupIds,
  documentIds,
  exceptDocumentIds,
}: SearchQuery): (candidate: Candidate) => boolean {
  const groups = groupIds && new Set(groupIds)
  const documents = documentIds && new Set(documentIds)
  const excepted = new Set(exceptDocumentIds)
  return ({ groupId, documentId }) =>
    (groups?.has(groupId) ?? true) && (documents?.has(documentId) ?? true) && !excepted.has(documentId)
}
