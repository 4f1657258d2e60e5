import { createHash } from 'node:crypto'
import { chunkDocument } from '../../server/src/content/chunks/chunk-document.ts'
import { headingOf } from '../../server/src/content/chunks/indexed-text.ts'
import { passageId } from '../../server/src/retrieval/space.ts'
import type { Hit, Passage, QueryTerm, SearchEngine } from '../../server/src/search/engine.ts'
import type { CorpusPassage } from './question-set.ts'

/** Passages that are handed over at once: about as many chunks as eight uploads of 20 KB have. */
const AT_ONCE = 160
/** Folders of a set, and of the passages beside it. */
const FOLDERS = { own: '0'.repeat(24), beside: '1'.repeat(24) }

/** A corpus in the engine, each of its passages a document of its own, cut into chunks as an upload is. */
export interface QuestionIndex {
  chunks: number
  search(text: string, limit: number, options?: AskOptions): Promise<{ hits: Hit[]; terms: QueryTerm[] }>
  /** The corpus passage that a hit is of. */
  passageOf(hit: Hit): CorpusPassage
}

interface AskOptions {
  /** Title of passages that are not searched. */
  without?: string | undefined
  vector?: Float32Array | undefined
}

interface IndexOptions {
  /** Vectors of texts, in their order; absent: the index has none. */
  embed?: ((texts: string[]) => Promise<Float32Array[]>) | undefined
  /** Passages of another folder of the same space, which is not searched. */
  beside?: CorpusPassage[]
}

export async function indexCorpus(
  engine: SearchEngine,
  space: string,
  corpus: CorpusPassage[],
  { embed, beside = [] }: IndexOptions = {},
): Promise<QuestionIndex> {
  const byDocument = new Map(corpus.map((passage) => [documentIdOf(passage), passage]))
  let chunks = 0
  const waiting = [
    ...corpus.map((passage) => ({ passage, folder: FOLDERS.own })),
    ...beside.map((passage) => ({ passage, folder: FOLDERS.beside })),
  ]
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const passages = toPassages(next.passage, next.folder)
        const vectors = await embed?.(passages.map(({ heading, text }) => (heading ? `${heading}\n${text}` : text)))
        for (const [at, passage] of passages.entries()) if (vectors?.[at]) passage.vector = vectors[at]
        chunks += passages.length
        await engine.add(space, passages)
      }
    }),
  )
  await engine.maintain(space)
  const others = new Map<string, string[]>()
  const documentsWithout = (title: string): string[] => {
    const known = others.get(title) ?? corpus.filter((passage) => passage.title !== title).map(documentIdOf)
    others.set(title, known)
    return known
  }
  return {
    chunks,
    search: (text, limit, { without, vector } = {}) =>
      engine.search(space, {
        text,
        limit,
        ...(vector && { vector }),
        groupIds: [FOLDERS.own],
        ...(without !== undefined && { documentIds: documentsWithout(without) }),
      }),
    passageOf: (hit) => byDocument.get(hit.documentId) as CorpusPassage,
  }
}

function documentIdOf({ id }: CorpusPassage): string {
  return createHash('sha256').update(id).digest('hex').slice(0, 24)
}

function toPassages(passage: CorpusPassage, groupId: string): Passage[] {
  const documentId = documentIdOf(passage)
  const blocks = passage.text.split(/\n{2,}/).map((text) => ({ kind: 'paragraph' as const, text, location: {} }))
  return [...chunkDocument({ format: 'text', blocks })].map(({ ordinal, text, location }) => ({
    id: passageId(documentId, ordinal),
    documentId,
    groupId,
    ordinal,
    heading: headingOf(passage.title, location),
    text,
    location: JSON.stringify(location),
  }))
}
