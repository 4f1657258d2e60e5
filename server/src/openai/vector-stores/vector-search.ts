import { z } from 'zod'
import type { Caller } from '../../access/access.ts'
import type { Db } from '../../db.ts'
import { type FileMetadata, getFolderInScope } from '../../drive/drive.ts'
import type { RetrievalService } from '../../retrieval/retrieval.ts'
import { OpenAiFilter, toFilters } from './vector-filters.ts'

const Query = z
  .string()
  .max(2000)
  .refine((text) => text.trim() !== '', 'must not be empty')

export const SearchFolder = z.object({
  query: z.union([Query, z.array(Query).min(1).max(10)]),
  max_num_results: z.number().int().min(1).max(50).default(10),
  filters: OpenAiFilter.nullish(),
  ranking_options: z
    .object({
      ranker: z
        .string()
        .refine((ranker) => ranker !== 'none', 'cannot be none: results are in the order of the workspace')
        .nullish(),
      score_threshold: z.number().min(0).max(1).nullish(),
    })
    .nullish(),
  rewrite_query: z
    .boolean()
    .refine((wanted) => !wanted, 'cannot be true: queries are searched as they are')
    .nullish(),
})
export type SearchFolder = z.infer<typeof SearchFolder>

/** Searches a folder with all below it, in the form of OpenAI's vector stores. @throws FolderNotFoundError */
export async function searchFolder(
  { db, retrieval }: { db: Db; retrieval: RetrievalService },
  caller: Caller,
  folderId: string,
  { query, max_num_results: limit, filters, ranking_options, signal }: SearchFolder & { signal: AbortSignal },
) {
  const folder = await getFolderInScope(db, caller, folderId)
  const queries = [query].flat()
  const wanted = { query: queries.join(' '), folderIds: [folder.id], filters: filters ? toFilters(filters) : [], limit }
  const { passages } = await retrieval.search(caller, wanted, signal)
  const least = ranking_options?.score_threshold ?? 0
  const scores = sharesOfBest(passages.map(({ score }) => score))
  return {
    object: 'vector_store.search_results.page',
    search_query: queries,
    data: passages
      .map(({ dataSourceId, title, metadata, hit }, place) => ({
        file_id: dataSourceId,
        filename: title,
        score: scores[place] as number,
        attributes: JSON.parse(metadata) as FileMetadata,
        content: [{ type: 'text', text: hit }],
      }))
      .filter(({ score }) => score >= least),
    has_more: false,
    next_page: null,
  }
}

/** Scores between 0 and 1 in the same order: those of the engine have no upper bound, and clients expect one. */
function sharesOfBest(scores: readonly number[]): number[] {
  const best = Math.max(...scores)
  return scores.map((score) => (best > 0 ? Math.max(0, score) / best : 1))
}
