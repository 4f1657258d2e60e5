import { createHash } from 'node:crypto'
import type { EmbeddingModel } from '../platform/models/model.ts'

/** The engine's space of an organization: another one for each embedding model, whose vectors do not mix. */
export function spaceOf(organizationId: string, embedding: EmbeddingModel | undefined): string {
  if (!embedding) return organizationId
  return `${organizationId}-${createHash('sha256').update(embedding.id).digest('hex').slice(0, 12)}`
}

/** Id of the organization that a space belongs to. */
export const organizationOf = (space: string): string => space.slice(0, 24)

/** Key of a passage: 24 hex characters made of its document and its place, the same each time it is indexed. */
export const passageId = (documentId: string, ordinal: number): string =>
  createHash('sha256').update(`${documentId}:${ordinal}`).digest('hex').slice(0, 24)
