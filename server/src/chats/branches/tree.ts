/** Message as a node of its chat's tree. */
export interface Node {
  id: string
  /** Message that it follows; null for a first one. */
  parentId: string | null
  isAside: boolean
}

/** Ids from a message up to the first one, the message itself included. */
export function pathTo(nodes: readonly Node[], id: string | null): string[] {
  const parents = new Map(nodes.map((node) => [node.id, node.parentId]))
  const path: string[] = []
  for (let at = id; at !== null && parents.has(at); at = parents.get(at) ?? null) path.push(at)
  return path
}

/**
 * Last message of the newest branch below a message; null for a chat without messages.
 * @param nodes oldest first
 * @param id null: of all branches
 */
export function newestLeafBelow(nodes: readonly Node[], id: string | null): string | null {
  const below = new Set<string | null>([id])
  let newest = id
  for (const node of nodes) {
    if (!below.has(node.parentId)) continue
    below.add(node.id)
    newest = node.id
  }
  return newest
}

/** Versions of a message: all that follow the same one, oldest first. */
export function versionsOf(nodes: readonly Node[]): Map<string, string[]> {
  const byParent = Map.groupBy(nodes, ({ parentId }) => parentId)
  const versions = new Map<string, string[]>()
  for (const siblings of byParent.values()) {
    const ids = siblings.map(({ id }) => id)
    for (const id of ids) versions.set(id, ids)
  }
  return versions
}
