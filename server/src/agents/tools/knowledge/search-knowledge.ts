import { z } from 'zod'
import { fileAddressOf } from '../../../drive/drive.ts'
import {
  formatLocation,
  keptSearch,
  type RetrievalService,
  type SearchKnowledgeData,
  searchAttached,
} from '../../../retrieval/retrieval.ts'
import { filtersOf } from '../../agent/narrow-folders.ts'
import { dataSection } from '../quote.ts'
import { defineTool } from '../tool.ts'
import { FolderArgument, foldersFor } from './one-folder.ts'

const PASSAGES = 5

/** Finds the passages of the agent's folders that answer a question. */
export const searchKnowledge = (retrieval: RetrievalService) =>
  defineTool({
    name: 'search_knowledge',
    description:
      'Searches the documents by words and meaning. Returns the best passages, numbered, with the document and the place they come from. Ask for what you want to know, in the words that the documents would use.',
    arguments: z.object({
      query: z.string().min(1).max(2000).describe('What to look for'),
      knowledge_base_id: FolderArgument,
    }),
    timeoutMs: 30_000,
    isReadOnly: true,
    cites: true,
    async run({ query, knowledge_base_id }, { agent, run, files, citations, signal }) {
      const folderIds = await foldersFor(retrieval, { agent, run }, knowledge_base_id)
      const filters = filtersOf(agent)
      const indexed = await retrieval.searchAround(run, { query, folderIds, filters, limit: PASSAGES }, signal)
      // Files sent in the chat are in no folder.
      const attached = await searchAttached(knowledge_base_id === undefined ? files : [], query, PASSAGES)
      const ranked = [
        ...attached.passages.map((passage) => ({ ...passage, dataSourceId: passage.fileId, hit: passage.text })),
        ...indexed.passages,
      ].sort((a, b) => b.score - a.score)
      // The weights of terms belong to the collection that they were counted in.
      const { terms } = attached.passages.some(({ id }) => id === ranked[0]?.id) ? attached : indexed
      return () => {
        const passages = ranked.slice(0, PASSAGES).map((passage) => {
          const { title, location, hit, text, score, bm25, dataSourceId: data_source_id } = passage
          const url = 'metadata' in passage ? fileAddressOf(passage.metadata) : undefined
          const index = citations.indexOf({ key: passage.id, data_source_id, title, url, location, text: hit })
          return { index, data_source_id, title, location, text, hit, score, bm25 }
        })
        const data: SearchKnowledgeData = { passages, terms }
        return {
          content: passages.length === 0 ? 'Nothing was found.' : passages.map(quote).join('\n'),
          preview: { title: `Search: ${query.slice(0, 200)}`, content: summary(passages), content_type: 'markdown' },
          data,
          search: keptSearch(query, filters, data),
        }
      }
    },
  })

type Found = SearchKnowledgeData['passages'][number]

const quote = ({ index, title, location, text }: Found): string =>
  dataSection({ number: index, from: title, at: formatLocation(location) }, text)

function summary(passages: Found[]): string {
  if (passages.length === 0) return 'Nothing was found.'
  return passages
    .map(({ index, title, location, hit, score }) => {
      const where = formatLocation(location)
      const beginning = hit.replaceAll(/\s+/g, ' ').slice(0, 160)
      return `${index}. **${title}** (${where ? `${where}, ` : ''}score ${Number(score.toPrecision(3))}): ${beginning}…`
    })
    .join('\n')
}
