import type { Passage } from '../../server/src/search/engine.ts'
import { createSyntheticText } from './synthetic-text.ts'

const PASSAGES_A_DOCUMENT = 20
const GROUPS = 3_000

/** Synthetic documents of 20 passages of 150 words, some in each of 3,000 groups; the same at each run. */
export function createDocuments(passages: number) {
  const text = createSyntheticText(1)
  const groups = Array.from({ length: GROUPS }, text.id)
  const made: string[] = []
  const anyGroup = () => groups[Math.floor(text.random() * groups.length)] as string

  return {
    count: Math.ceil(passages / PASSAGES_A_DOCUMENT),
    groups,
    /** Ids of the documents that were made. */
    made,
    anyGroup,
    question: text.question,
    next(): Passage[] {
      const [documentId, groupId] = [text.id(), anyGroup()]
      made.push(documentId)
      return Array.from({ length: PASSAGES_A_DOCUMENT }, (_, ordinal) => ({
        id: text.id(),
        documentId,
        groupId,
        ordinal,
        heading: `Document ${documentId}`,
        text: text.passage(),
        location: JSON.stringify({ page: ordinal + 1 }),
      }))
    },
  }
}

export type Documents = ReturnType<typeof createDocuments>
