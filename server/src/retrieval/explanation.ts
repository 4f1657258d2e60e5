import { z } from 'zod'
import { FileFilter } from '../drive/drive.ts'
import { ObjectId } from '../platform/http/validation/schemas.ts'
import { findTermOccurrences } from '../search/analysis/term-occurrences.ts'
import type { QueryTerm } from '../search/engine.ts'
import type { FoundPassage } from './found-passages.ts'

const MOST_MATCHES = 200

const Filters = z
  .object({
    knowledge_base_id: ObjectId.meta({ description: 'Folder that was searched' }),
    recursive: z.boolean().meta({ description: 'Whether its sub-folders were, too' }),
    files: FileFilter.nullable().meta({ description: 'Filter on the metadata of files; null without one' }),
  })
  .meta({ description: 'Limits of the search, beside what the caller may read' })

export const Explanation = z
  .object({
    filters: Filters,
    ordinal: z
      .number()
      .int()
      .meta({ description: 'Place of the passage in its file, as `start` of its text takes it' }),
    words: z.number().meta({ description: 'BM25 of the words; 0 when the passage is only near in meaning' }),
    closeness: z.number().nullable().meta({
      description:
        'Part of the score for words that stand close together and in order; null where meaning is ranked along with words',
    }),
    heading: z.number().nullable().meta({ description: 'Part for words in the title and the headings; null likewise' }),
    subject: z
      .number()
      .nullable()
      .meta({ description: 'Part for words that the best passages have in common; null likewise' }),
    ranks: z
      .object({
        words: z.number().int().nullable().meta({ description: 'By the words alone' }),
        reranked: z.number().int().nullable().meta({ description: 'By the words with the other parts of the score' }),
        meaning: z.number().int().nullable().meta({ description: 'By meaning' }),
      })
      .meta({ description: 'Places in the lists that are put together, from 1; null where a list lacks the passage' }),
    reranker: z
      .object({
        rank: z.number().int().meta({ description: 'Place that it gave the passage, from 1' }),
        score: z.number().meta({ description: 'As the model gave it' }),
      })
      .nullable()
      .meta({
        description: 'Order of a reranker, which then is that of the results; null where none read the passage',
      }),
    terms: z
      .array(
        z.object({
          term: z.string().meta({ description: 'As it is indexed: stemmed' }),
          weight: z.number().meta({ description: 'The rarer, the higher' }),
          count: z.number().int().meta({ description: 'How often it stands in the text' }),
          in_title: z.boolean().meta({ description: 'Whether the title or a heading holds it' }),
        }),
      )
      .meta({ description: 'Terms of the question, as they were understood' }),
    matches: z
      .array(z.object({ start: z.number().int(), end: z.number().int() }))
      .meta({ description: 'Positions of the words in `text`, in UTF-16 units; at most 200' }),
  })
  .meta({ id: 'SearchExplanation', description: 'Why a passage was found' })

/** Explains why a passage was found, and which parts of it matched. */
export function explain(
  passage: FoundPassage,
  { terms, isByMeaning, filters }: { terms: QueryTerm[]; isByMeaning: boolean; filters: z.output<typeof Filters> },
): z.output<typeof Explanation> {
  const names = terms.map(({ term }) => term)
  const occurrences = findTermOccurrences(passage.hit, names)
  const heading = [passage.title, ...(passage.location.heading_path ?? [])].join(' ')
  const inTitle = new Set(findTermOccurrences(heading, names).map(({ term }) => term))
  return {
    filters,
    ordinal: passage.ordinal,
    words: passage.bm25,
    closeness: isByMeaning ? null : (passage.bonuses?.closeness ?? 0),
    heading: isByMeaning ? null : (passage.bonuses?.heading ?? 0),
    subject: isByMeaning ? null : (passage.bonuses?.subject ?? 0),
    ranks: passage.ranks,
    reranker: passage.reranker ?? null,
    terms: terms.map(({ term, idf }) => ({
      term,
      weight: idf,
      count: occurrences.filter((place) => place.term === term).length,
      in_title: inTitle.has(term),
    })),
    matches: occurrences.slice(0, MOST_MATCHES).map(({ start, end }) => ({ start, end })),
  }
}
