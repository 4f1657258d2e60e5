import type { PassageRange, SearchQuery } from '../../engine.ts'
import { SearchInputError } from '../../errors.ts'

/**
 * Predicates in LanceDB's SQL. It knows no parameters, so only identifiers of the one form that cannot end a string
 * and whole numbers ever get into one.
 */
const IDENTIFIER = /^[0-9a-f]{24}$/
const SPACE = /^[a-z0-9][a-z0-9_-]{0,99}$/

export function checkIdentifier(id: string): string {
  if (!IDENTIFIER.test(id)) throw new SearchInputError('an id must be 24 lower-case hex characters')
  return id
}

export function checkSpace(space: string): string {
  if (!SPACE.test(space)) throw new SearchInputError('a space is named by up to 100 characters of a-z, 0-9, _ and -')
  return space
}

function checkOrdinal(ordinal: number): number {
  if (!Number.isSafeInteger(ordinal)) throw new SearchInputError('an ordinal must be a whole number')
  return ordinal
}

export function idIn(column: 'document_id' | 'group_id', ids: readonly string[], operator = 'IN'): string {
  return `${column} ${operator} (${[...new Set(ids)].map((id) => `'${checkIdentifier(id)}'`).join(',')})`
}

/** Undefined: no filter. The caller answers empty lists itself. */
export function queryFilter({ groupIds, documentIds, exceptDocumentIds = [] }: SearchQuery): string | undefined {
  const parts: string[] = []
  if (groupIds) parts.push(idIn('group_id', groupIds))
  if (documentIds) parts.push(idIn('document_id', documentIds))
  if (exceptDocumentIds.length > 0) parts.push(idIn('document_id', exceptDocumentIds, 'NOT IN'))
  return parts.length > 0 ? parts.join(' AND ') : undefined
}

export function ordinalsFrom({ documentId, fromOrdinal }: { documentId: string; fromOrdinal: number }): string {
  return `(${idIn('document_id', [documentId])} AND ordinal >= ${checkOrdinal(fromOrdinal)})`
}

export function inRanges(ranges: readonly PassageRange[]): string {
  return ranges
    .map(({ documentId, from, to }) => {
      const within = `ordinal >= ${checkOrdinal(from)} AND ordinal <= ${checkOrdinal(to)}`
      return `(${idIn('document_id', [documentId])} AND ${within})`
    })
    .join(' OR ')
}
