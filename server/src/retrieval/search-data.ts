import type { Location } from '../content/read/parsed-document.ts'
import type { FileFilter } from '../drive/drive.ts'

/**
 * Result of a search for an agent, for models inside this process: the same as its text for other models, as values.
 */
export interface SearchKnowledgeData {
  /** Best first. */
  passages: FoundPassage[]
  /** The question as the search understood it; empty when it held nothing but stop words. */
  terms: WeighedTerm[]
}

export interface FoundPassage {
  /** Number to cite it by. */
  index: number
  data_source_id: string
  title: string
  location: Location
  /** The hit with what is around it, up to 1,000 words. */
  text: string
  /** The passage itself. */
  hit: string
  /** Score that the passages are ordered by. */
  score: number
  /** How well the passage matches the words of the question; 0 when only its meaning was near. */
  bm25: number
}

export interface WeighedTerm {
  /** Term as the index holds it: stemmed. */
  term: string
  /** Inverse document frequency: the rarer the term, the higher. */
  idf: number
  /** How often the question says it. */
  count: number
  /** Other forms of the word, as the index holds them. */
  forms?: string[]
}

/** A search for an agent and what it was given, as it is kept with the message: plain JSON. */
export interface KeptSearch {
  query: string
  /** Filters by the metadata of files, all of which held. */
  filters: FileFilter[]
  terms: { term: string; weight: number; count: number }[]
  /** Best first. */
  passages: KeptPassage[]
}

export type KeptPassage = Omit<FoundPassage, 'hit'>

/** Longest text of a passage that is kept: as much as a citation carries. */
const KEPT_LENGTH = 2000

/** Search as it is kept: of each passage the hit without what is around it. */
export const keptSearch = (
  query: string,
  filters: FileFilter[],
  { passages, terms }: SearchKnowledgeData,
): KeptSearch => ({
  query,
  filters,
  terms: terms.map(({ term, idf, count }) => ({ term, weight: idf, count })),
  passages: passages.map(({ hit, ...passage }) => ({ ...passage, text: hit.slice(0, KEPT_LENGTH) })),
})
