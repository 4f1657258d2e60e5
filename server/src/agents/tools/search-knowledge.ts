import { z } from 'zod'
import { placeOf } from '../../retrieval/place-of.ts'
import type { RetrievalService } from '../../retrieval/retrieval.service.ts'
import type { SearchKnowledgeData } from '../../retrieval/search-data.ts'
import { quoted } from './quote.ts'
import { defineTool } from './tool.ts'

const PASSAGES = 5

/** Finds the passages of the agent's folders that answer a question. */
export const searchKnowledge = (retrieval: RetrievalService) =>
  defineTool({
    name: 'search_knowledge',
    description:
      'Searches the documents by words and meaning. Returns the best passages, numbered, with the document and the place they come from. Ask for what you want to know, in the words that the documents would use.',
    arguments: z.object({
      query: z.string().min(1).max(2000).describe('What to look for'),
    }),
    timeoutMs: 30_000,
    async run({ query }, { agent, citations, signal }) {
      const found = await retrieval.searchAround(
        agent.organizationId,
        { query, folderIds: agent.knowledgeBaseIds, limit: PASSAGES },
        signal,
      )
      const passages = found.passages.map((passage) => ({
        index: citations.indexOf({
          key: passage.id,
          data_source_id: passage.dataSourceId,
          title: passage.title,
          location: passage.location,
          text: passage.hit,
        }),
        data_source_id: passage.dataSourceId,
        title: passage.title,
        location: passage.location,
        text: passage.text,
        hit: passage.hit,
        score: passage.score,
        bm25: passage.bm25,
      }))
      const data: SearchKnowledgeData = { passages, terms: found.terms }
      return {
        content: passages.length === 0 ? 'Nothing was found.' : passages.map(quote).join('\n'),
        preview: { title: `Search: ${query.slice(0, 200)}`, content: summary(passages), content_type: 'markdown' },
        data,
      }
    },
  })

type Found = SearchKnowledgeData['passages'][number]

/** The passage in a marked section: what is in it is material, not a word of ours. */
function quote({ index, title, location, text }: Found): string {
  const place = placeOf(location)
  const from = [`"${title.replaceAll('"', "'")}"`, place].filter(Boolean).join(', ')
  return `<passage number="${index}" from=${JSON.stringify(from)}>\n${quoted(text)}\n</passage>`
}

function summary(passages: Found[]): string {
  if (passages.length === 0) return 'Nothing was found.'
  return passages
    .map(({ index, title, location, hit }) => {
      const place = placeOf(location)
      const beginning = hit.replaceAll(/\s+/g, ' ').slice(0, 160)
      return `${index}. **${title}**${place ? ` (${place})` : ''}: ${beginning}…`
    })
    .join('\n')
}
