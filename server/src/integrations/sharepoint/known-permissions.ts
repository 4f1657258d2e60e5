import { SourceItemError } from '../source.ts'
import type { SourceItems } from '../source-items.ts'
import type { DriveNode } from './drive-mirror.ts'
import type { Graph } from './graph.ts'
import type { Permission } from './permissions.schemas.ts'

/** Time after which every list is asked for anew: what the changes of a drive do not tell counts by then. */
const KNOWN_MS = 24 * 3_600_000
const WRITTEN_AT_ONCE = 100

/** State of the lists that are known of a drive, kept with the link to its next changes. */
export interface KnownLists {
  /** When they were last forgotten, in milliseconds. */
  since: number
  /** Permissions on the linked folder, which the files in it inherit; absent where it does not tell them. */
  root?: Permission[] | undefined
}

interface Changed {
  rootId: string
  /** Lists known from the syncs before, if they may be relied on. */
  known: KnownLists | undefined
  nodes: ReadonlyMap<string, DriveNode>
  /** Permissions that were known of what the list of changes named; what lies above a change is named, too. */
  changed: ReadonlyMap<string, Permission[] | undefined>
}

export const mayRely = (known: KnownLists | undefined): known is KnownLists =>
  known !== undefined && Date.now() - known.since < KNOWN_MS

/**
 * Forgets the lists of files that may have other readers now: all below a folder whose own list is another one. Files that the
 * list of changes named have lost theirs already.
 *
 * @param ask asks for the permissions on an item
 * @returns nodes that are to be stored for it, and what is known from now on
 */
export async function forgetChanged(
  { rootId, known, nodes, changed }: Changed,
  ask: (itemId: string) => Promise<Permission[]>,
): Promise<{ stored: Set<string>; known: KnownLists }> {
  const told = (itemId: string) =>
    ask(itemId).catch((error) => {
      if (error instanceof SourceItemError) return undefined
      throw error
    })
  const root = await told(rootId)
  const stored = new Set<string>()
  const forget = (node: DriveNode) => {
    if (node.permissions !== undefined) stored.add(node.id)
    delete node.permissions
  }
  if (!known || !isSame(known.root, root)) {
    for (const node of nodes.values()) forget(node)
    return { stored, known: { since: Date.now(), root } }
  }
  const childrenOf = Map.groupBy(nodes.values(), ({ parentId }) => parentId)
  for (const [id, had] of changed) {
    const folder = nodes.get(id)
    if (folder?.kind !== 'folder') continue
    const permissions = await told(id)
    const below = isSame(had, permissions) ? [] : [...(childrenOf.get(id) ?? [])]
    for (const node of below) {
      forget(node)
      below.push(...(childrenOf.get(node.id) ?? []))
    }
    if (permissions) folder.permissions = permissions
  }
  return { stored, known: { since: known.since, root } }
}

const isSame = (one: Permission[] | undefined, other: Permission[] | undefined) =>
  one !== undefined && JSON.stringify(one) === JSON.stringify(other)

/** Lists of a drive's files: as they are known, or else asked for and from then on known. */
export function createKnownPermissions(
  graph: Graph,
  driveId: string,
  nodes: ReadonlyMap<string, DriveNode>,
  items: SourceItems,
) {
  let unsaved: DriveNode[] = []

  async function save(): Promise<void> {
    const saved = unsaved
    unsaved = []
    await items.save(new Map(saved.map((node) => [node.id, JSON.stringify(node)])))
  }

  return {
    async of(itemId: string, signal: AbortSignal): Promise<Permission[]> {
      const node = nodes.get(itemId)
      if (node?.permissions) return node.permissions
      const permissions = await graph.permissions(driveId, itemId, signal)
      if (!node) return permissions
      node.permissions = permissions
      unsaved.push(node)
      if (unsaved.length >= WRITTEN_AT_ONCE) await save()
      return permissions
    },
    save,
  }
}
