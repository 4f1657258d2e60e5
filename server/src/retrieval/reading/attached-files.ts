import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { indexedText } from '../../content/chunks/indexed-text.ts'
import type { Chunk, Location } from '../../content/read/parsed-document.ts'
import { lengthInTerms, spacedTerms, TermFinder, type TermMatch } from '../../search/analysis/analysis.ts'
import { QUERY_MAX_TERMS, type QueryTerm } from '../../search/engine.ts'
import { bm25Of, idfOf } from '../../search/ranking/bm25.ts'
import { rerank } from '../../search/ranking/rerank.ts'
import { countHolding } from '../../search/ranking/term-idf.ts'

/** A file that was sent with a question: read for this run alone, and in no index. */
export interface AttachedFile {
  /** Id of the upload. */
  id: string
  name: string
  chunks: Chunk[]
  words: number
  isPicture?: boolean
  /** Whether it came with an earlier message of the chat. */
  isFromBefore?: boolean
  /** The picture itself, for models that can see; absent where no vendor takes it. */
  image?: { mediaType: string; data: string }
}

export interface AttachedPassage {
  id: string
  fileId: string
  title: string
  location: Location
  text: string
  score: number
  bm25: number
}

interface CountedChunk {
  file: AttachedFile
  chunk: Chunk
  body: string
  headingLength: number
  /** Length in terms. */
  length: number
  /** Terms of the question in it. */
  matches: TermMatch[]
}

const A_SLICE = 100

/** The best passages of the files for a question, as the index would rank them if it held nothing else. */
export async function searchAttached(
  files: AttachedFile[],
  question: string,
  limit: number,
): Promise<{ passages: AttachedPassage[]; terms: QueryTerm[] }> {
  const terms = [...new Set(spacedTerms(question.slice(0, 8000)))].slice(0, QUERY_MAX_TERMS)
  const finder = new TermFinder(terms)
  const all = files.flatMap((file) => file.chunks.map((chunk) => ({ file, chunk })))
  const counted: CountedChunk[] = []
  for (const [index, { file, chunk }] of all.entries()) {
    if (index % A_SLICE === A_SLICE - 1) await yieldToEventLoop()
    const body = indexedText(file.name, chunk)
    const headingLength = body.length - chunk.text.length - 1
    counted.push({ file, chunk, body, headingLength, length: lengthInTerms(body), matches: finder.find(body) })
  }
  const averageLength = counted.reduce((sum, { length }) => sum + length, 0) / Math.max(1, counted.length) || 1
  const documentFrequencies = countHolding(terms, counted)
  const idf = documentFrequencies.map((frequency) => idfOf(frequency, counted.length))
  const once = terms.map(() => 1)
  const candidates = counted
    .map((passage) => ({
      ...passage,
      bm25: bm25Of(passage.matches, passage.length, { idf, counts: once, averageLength }),
    }))
    .filter(({ bm25 }) => bm25 > 0)
    .sort((a, b) => b.bm25 - a.bm25)
    .slice(0, 100)
  const ranked = rerank(candidates, { terms, counts: once }, { passages: counted.length, documentFrequencies })
  return {
    terms: ranked.terms,
    passages: ranked.candidates.slice(0, limit).map(({ candidate: { file, chunk, bm25 }, score }) => ({
      id: `${file.id}:${chunk.ordinal}`,
      fileId: file.id,
      title: file.name,
      location: chunk.location,
      text: chunk.text,
      score,
      bm25,
    })),
  }
}
