import type { Query, VectorQuery } from '@lancedb/lancedb'
import type { PassageRange, StoredPassage } from '../../engine.ts'
import { SearchInputError } from '../../errors.ts'
import type { Lance, OpenTable } from '../lance-library.ts'
import { PASSAGE_COLUMNS, type Row, rowsOf, rowToPassage, TEXT_INDEX } from './lance-columns.ts'
import { inRanges } from './lance-filters.ts'
import { sampleBodies } from './sample-bodies.ts'

export interface Candidate {
  id: string
  documentId: string
  groupId: string
  body: string
  headingLength: number
  /** 0 for one that was found by its vector. */
  bm25: number
  /** Similarity of its vector to that of the query; 0 for one that was found by its words. */
  similarity: number
  /** Read when asked for: most candidates are only looked at, not handed out. */
  passage(): StoredPassage
}

export interface FoundByWords {
  candidates: Candidate[]
  /** Whether nothing else holds any of the words. */
  isAll: boolean
}

const RANGES_PER_QUERY = 50
/** Passages whose words a misspelt one is compared with. */
const LIKE_BODIES = 20

export type Reads = ReturnType<typeof createReads>

/** Reads of one open.table. */
export function createReads(lance: Lance, open: OpenTable, dimension: number | undefined) {
  async function candidates(query: Query | VectorQuery, filter: string | undefined): Promise<Row[]> {
    if (filter) query.where(filter)
    return rowsOf(await query.toArrow())
  }

  /** Best by words, best first. @param scan whether rows that are not indexed yet are gone through, too */
  async function findByWords(
    words: string,
    filter: string | undefined,
    limit: number,
    scan: boolean,
  ): Promise<FoundByWords> {
    const query = open.table.query().fullTextSearch(new lance.MatchQuery(words, 'body'))
    if (!scan) query.fastSearch()
    // Without `_score` among the columns LanceDB warns on standard error at every query.
    const rows = await candidates(query.select([...PASSAGE_COLUMNS, '_score']).limit(limit), filter)
    return {
      candidates: distinct(rows.map((row) => toCandidate(row, { bm25: row.number('_score') }))),
      isAll: rows.length < limit,
    }
  }

  /** Nearest first; none where the space has no vectors. */
  async function findByVector(vector: Float32Array, filter: string | undefined, limit: number): Promise<Candidate[]> {
    if (!dimension) return []
    if (vector.length !== dimension) throw new SearchInputError(`the space holds vectors of length ${dimension}`)
    const query = open.table.query().nearestTo(vector).column('vector').distanceType('dot')
    const rows = await candidates(query.select([...PASSAGE_COLUMNS, '_distance']).limit(limit), filter)
    const near = rows.map((row) => toCandidate(row, { similarity: 1 - row.number('_distance') }))
    // Zeros stand for a text of which the model knows no word: it is found by its words alone.
    return distinct(near.filter(({ similarity }) => similarity !== 0))
  }

  /** Best match among the indexed rows only: frequencies need not be up to the second. */
  async function bestFor(term: string): Promise<{ bm25: number; body: string } | undefined> {
    const query = open.table.query().fullTextSearch(new lance.MatchQuery(term, 'body')).fastSearch()
    const [row] = rowsOf(await query.select(['body', '_score']).limit(1).toArrow())
    return row && { bm25: row.number('_score'), body: row.text('body') }
  }

  /** Bodies that hold words which differ from this one by a letter or two, among the indexed rows. */
  async function bodiesLike(term: string, filter: string | undefined): Promise<string[]> {
    const like = new lance.MatchQuery(term, 'body', { fuzziness: 2, prefixLength: 1 })
    const query = open.table.query().fullTextSearch(like).fastSearch().select(['body', '_score']).limit(LIKE_BODIES)
    return (await candidates(query, filter)).map((row) => row.text('body'))
  }

  /** Words of a script without spaces, as the index splits it. */
  async function segment(run: string): Promise<string[]> {
    return (await open.table.tokenize(run, { indexName: TEXT_INDEX })).map(({ text }) => text)
  }

  async function passages(ranges: PassageRange[]): Promise<StoredPassage[]> {
    const found = new Map<string, StoredPassage>()
    for (let start = 0; start < ranges.length; start += RANGES_PER_QUERY) {
      const query = open.table.query().where(inRanges(ranges.slice(start, start + RANGES_PER_QUERY)))
      for (const row of rowsOf(await query.select([...PASSAGE_COLUMNS]).toArrow())) {
        const passage = rowToPassage(row)
        found.set(passage.id, passage)
      }
    }
    return [...found.values()].sort((a, b) => compare(a.documentId, b.documentId) || a.ordinal - b.ordinal)
  }

  async function documentIds(): Promise<string[]> {
    const ids = new Set<string>()
    for await (const batch of open.table.query().select(['document_id'])) {
      for (const id of batch.getChild('document_id') ?? []) ids.add(id as string)
    }
    return [...ids]
  }

  return {
    findByWords,
    findByVector,
    bestFor,
    bodiesLike,
    sampleBodies: (count: number, filter?: string) => sampleBodies(open.table, count, filter),
    segment,
    passages,
    documentIds,
    countPassages: (filter?: string) => open.table.countRows(filter),
  }
}

function toCandidate(row: Row, { bm25 = 0, similarity = 0 }: { bm25?: number; similarity?: number }): Candidate {
  const headingLength = row.number('heading_length')
  return {
    id: row.text('id'),
    documentId: row.text('document_id'),
    groupId: row.text('group_id'),
    body: row.text('body'),
    headingLength,
    bm25,
    similarity,
    passage: () => rowToPassage(row),
  }
}

/** A passage is there twice when two processes both took themselves for the first to add it. */
function distinct(candidates: Candidate[]): Candidate[] {
  return [...new Map(candidates.map((candidate) => [candidate.id, candidate])).values()]
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
