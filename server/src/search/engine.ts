/**
 * Passages found by their words, by their vectors, or by both. The engine is a derived index: anyone who asks it must
 * confirm with the database that what it found may still be shown.
 */
export interface SearchEngine {
  /**
   * Adds passages, or replaces those with the same id. When it resolves they survive the end of the process, however
   * it comes, and a search finds them.
   * Calls on one space that come within a few milliseconds share one commit. An empty list resolves at once.
   * @param options.areNew the caller knows that nothing with these ids was ever added: a third of the work
   * @throws SearchInputError when an id is not 24 hex characters, or a vector's length differs from the space's
   */
  add(space: string, passages: Passage[], options?: { areNew?: boolean }): Promise<void>

  /** Drops everything that the space holds of these documents; unknown ones are skipped. */
  remove(space: string, documentIds: string[]): Promise<void>

  /** Drops a document's passages from this ordinal on: what is left of an earlier, longer version of it. */
  trim(space: string, documentId: string, fromOrdinal: number): Promise<void>

  /** Puts all of a document's passages into another group. */
  move(space: string, documentId: string, groupId: string): Promise<void>

  /**
   * The best passages, best first, and the terms that the text was understood as. Any text is a valid query: it is
   * analysed, never parsed, and cut to `QUERY_MAX_TERMS` terms. A space that holds nothing gives no hits.
   */
  search(space: string, query: SearchQuery): Promise<SearchResult>

  /** The passages of these ranges, by document and ordinal; both ends of a range are included. */
  passages(space: string, ranges: PassageRange[]): Promise<StoredPassage[]>

  /** Documents that the space holds anything of, for those who look for orphans. */
  documentIds(space: string): Promise<string[]>

  /** Brings the index up to date with what was added, now. It happens by itself in the background, too. */
  maintain(space: string): Promise<void>

  /** Throws away all that the space holds, also if it cannot be read; what is added later begins a new one. */
  drop(space: string): Promise<void>

  /** Waits for writes under way and lets go of all files. The engine can be used again. */
  close(): Promise<void>
}

export interface Passage {
  /** 24 lower-case hex characters, like the two ids below; the key of the passage. */
  id: string
  documentId: string
  /** Group that searches are narrowed to. */
  groupId: string
  /** Place in the document, from 0, without gaps. */
  ordinal: number
  /** Title and heading path; searched together with the text. May be empty. */
  heading: string
  text: string
  /** JSON of the place in the document; the engine hands it back as it is. */
  location: string
  /** L2-normalised. All passages of a space have one of the same length, or none has one. */
  vector?: Float32Array
}

export type StoredPassage = Omit<Passage, 'vector'>

export interface SearchQuery {
  text: string
  /** Embedding of the text, by the model that made the space's vectors. Ignored where the space has none. */
  vector?: Float32Array
  /** Restricts the search to these groups; absent: all. An empty list finds nothing. Thousands are fine. */
  groupIds?: string[]
  /** Restricts the search to these documents; absent: all. An empty list finds nothing. */
  documentIds?: string[]
  /** No passages of these documents. */
  exceptDocumentIds?: string[]
  /** 1 to 100. */
  limit: number
}

export interface SearchResult {
  hits: Hit[]
  terms: QueryTerm[]
  /** True if nothing was ever added to this space, or it was lost. */
  isAbsent?: boolean
}

export interface Hit extends StoredPassage {
  /** Score that the hits are ordered by: comparable within one result only. */
  score: number
  /** BM25 of the passage (k1 = 1.2, b = 0.75); 0 when only its vector was near. */
  bm25: number
  /** Parts of the score by words beside BM25; undefined when only its vector was near. */
  bonuses?: Bonuses
  ranks: Ranks
}

/** Places in the lists that a hit was in, from 1; null for a list without it. */
export interface Ranks {
  /** Place by BM25 alone. */
  words: number | null
  /** Place by BM25 with the bonuses. */
  reranked: number | null
  /** Place by the vector. */
  meaning: number | null
}

export interface Bonuses {
  /** Bonus for terms close together and in the question's order. */
  closeness: number
  /** Bonus for terms in title and headings. */
  heading: number
  /** Bonus for words that the best passages have in common. */
  subject: number
}

/** A term of the query after stemming and without stop words, each once, in the order of the query. */
export interface QueryTerm {
  term: string
  /** ln(1 + (N - n + 0.5) / (n + 0.5)) over the passages of the space; the highest for a term that none holds. */
  idf: number
  /** How often the question says it, 4 at most. */
  count: number
  /** Other forms of the word that candidates hold; absent where there are none. */
  forms?: string[]
}

export interface PassageRange {
  documentId: string
  from: number
  to: number
}

/** Limit on different terms, more than any question has; a pasted document is searched by its first ones. */
export const QUERY_MAX_TERMS = 64
