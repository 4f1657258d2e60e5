import type { Location } from '../content/read/parsed-document.ts'
import type { SearchableDataSource } from '../drive/drive.ts'
import type { Bonuses, Hit, QueryTerm, Ranks } from '../search/engine.ts'
import type { ByReranker } from './reranking/rerank-passages.ts'

export interface FoundPassage {
  id: string
  /** Organization that the document belongs to. */
  organizationId: string
  dataSourceId: string
  title: string
  /** JSON object. */
  metadata: string
  location: Location
  /** The passage itself. */
  hit: string
  score: number
  bm25: number
  bonuses: Bonuses | undefined
  ranks: Ranks
  /** Absent where no reranker read it. */
  reranker?: ByReranker
  ordinal: number
}

export interface SearchOutcome {
  passages: FoundPassage[]
  terms: QueryTerm[]
  /** Whether meaning was ranked along with words. */
  isByMeaning: boolean
  /** The index is not there. */
  isAbsent?: boolean
}

export const NOTHING: SearchOutcome = { passages: [], terms: [], isByMeaning: false }

/** Best first, each passage once. */
export function merge(a: Hit[], b: Hit[]): Hit[] {
  const byId = new Map([...a, ...b].map((hit) => [hit.id, hit]))
  return [...byId.values()].sort((x, y) => y.score - x.score)
}

/**
 * One list of what the spaces of several organizations hold. Scores are weighed by each space's own frequencies; they
 * are close enough to order by, and the lowest weight of a term is of the space that knows it best.
 */
export function join(outcomes: SearchOutcome[], limit: number): SearchOutcome {
  if (outcomes.length === 1) return outcomes[0]!
  const passages = outcomes.flatMap((outcome) => outcome.passages).sort((a, b) => b.score - a.score)
  const terms = new Map<string, QueryTerm>()
  for (const term of outcomes.flatMap((outcome) => outcome.terms)) {
    const known = terms.get(term.term)
    if (!known || term.idf < known.idf) terms.set(term.term, term)
  }
  return { passages: passages.slice(0, limit), terms: [...terms.values()], isByMeaning: outcomes[0]!.isByMeaning }
}

export const toPassage = (organizationId: string, hit: Hit, file: SearchableDataSource): FoundPassage => ({
  id: `${file.id}:${hit.ordinal}`,
  organizationId,
  dataSourceId: file.id,
  title: file.title,
  metadata: file.metadata,
  location: JSON.parse(hit.location) as Location,
  hit: hit.text,
  score: hit.score,
  bm25: hit.bm25,
  bonuses: hit.bonuses,
  ranks: hit.ranks,
  ordinal: hit.ordinal,
})
