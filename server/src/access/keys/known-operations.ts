import { invalidField } from '../../platform/errors.ts'
import { nearestName } from '../../platform/text/nearest-name.ts'
import type { KeyScopes } from './key-scopes.ts'

/** @throws ValidationError for a name of which no operation is meant: the key could do less than its maker believes */
export function requireKnownOperations(scopes: KeyScopes | null, known: ReadonlySet<string>): void {
  for (const [at, name] of (scopes?.operations ?? []).entries()) {
    if (name === '*' || [...known].some((id) => allowsOperation([name], id))) continue
    const path = `scopes.operations.${at}`
    const near = nearestName(name, [...known, ...groupsOf(known)])
    const message = `is no operation: ${name.slice(0, 100)}${near ? ` (did you mean ${near}?)` : ''}; /openapi.json names them as operationId`
    throw invalidField(path, message)
  }
}

/** `chats.queries.create` belongs to `chats.*` and `chats.queries.*`. */
const groupsOf = (operations: Iterable<string>): Set<string> =>
  new Set(
    [...operations].flatMap((id) =>
      id
        .split('.')
        .slice(0, -1)
        .map((_, depth, parts) => `${parts.slice(0, depth + 1).join('.')}.*`),
    ),
  )

/** Whether a key with these operations may call this one. */
export function allowsOperation(operations: string[], operationId: string): boolean {
  return operations.some((allowed) => {
    if (allowed === '*') return true
    return allowed.endsWith('.*') ? operationId.startsWith(allowed.slice(0, -1)) : operationId === allowed
  })
}
