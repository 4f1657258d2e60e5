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
  ranking_options: z.object({ score_threshold: z.number().min(0).nullish() }).nullish(),
  rewrite_query: z.boolean().nullish(),
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
  return {
    object: 'vector_store.search_results.page',
    search_query: queries,
    data: passages
      .filter(({ score }) => score >= least)
      .map(({ dataSourceId, title, metadata, score, hit }) => ({
        file_id: dataSourceId,
        filename: title,
        score,
        attributes: JSON.parse(metadata) as FileMetadata,
        content: [{ type: 'text', text: hit }],
      })),
    has_more: false,
    next_page: null,
  }
}
