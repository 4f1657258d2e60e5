import { createHash } from 'node:crypto'
import type { EmbeddingModel } from '../platform/models/model.ts'

/** The space of an organization for the environment's embedding model: another one for each, whose vectors do not mix. */
export function spaceOf(organizationId: string, embedding: Pick<EmbeddingModel, 'id'> | undefined): string {
  return embedding ? namedSpace(organizationId, embedding.id) : organizationId
}

/** The space of an organization that a build of this id writes. */
export const namedSpace = (organizationId: string, of: string): string =>
  `${organizationId}-${createHash('sha256').update(of).digest('hex').slice(0, 12)}`

/** Id of the organization that a space belongs to. */
export const organizationOf = (space: string): string => space.slice(0, 24)

/** Key of a passage: 24 hex characters made of its document and its place, the same each time it is indexed. */
export const passageId = (documentId: string, ordinal: number): string =>
  createHash('sha256').update(`${documentId}:${ordinal}`).digest('hex').slice(0, 24)
