import { z } from 'zod'
import { ApiRefusedError } from '../api/api-refused.ts'
import type { TreeNode } from '../api/tree-source.ts'
import type { SourceItems } from '../source-items.ts'
import type { DriveItem, Graph } from './graph.ts'
import { forgetChanged, type KnownLists, mayRely } from './known-permissions.ts'
import { Permission } from './permissions.schemas.ts'

/** Key of the link that the next changes are asked for with; ids of items have no such sign. */
const LINK = '@delta'
const LONGEST_ADDRESS = 500

const Link = z.object({
  endpoint: z.string(),
  driveId: z.string(),
  link: z.string(),
  lists: z.object({ since: z.number(), root: z.array(Permission).optional() }).optional(),
})

/** File or folder with the permissions on it, as far as they are known and may be relied on. */
export interface DriveNode extends TreeNode {
  permissions?: Permission[]
}

interface MirrorOptions {
  driveId: string
  endpoint: string
  /** Id of the linked folder. */
  rootId: string
  items: SourceItems
  /** Whether permissions are kept from sync to sync, as the list of changes names those that changed. */
  keepsLists: boolean
  /** Whether the first changes are enough, and nothing is kept. */
  isTrial: boolean
  signal: AbortSignal
}

/**
 * Everything in a drive, by id: as it was at the last sync, with what changed since. The link to the next changes is
 * stored last, so that a sync which ends before asks for these again.
 */
export async function readDrive(graph: Graph, options: MirrorOptions): Promise<Map<string, DriveNode>> {
  const { driveId, endpoint, items, isTrial } = options
  const stored = isTrial ? undefined : Link.safeParse(parsed((await items.find([LINK])).get(LINK))).data
  if (stored?.driveId === driveId && stored.endpoint === endpoint) {
    try {
      return await updateMirror(graph, options, stored)
    } catch (error) {
      // The link is too old: everything is listed again, and compared.
      if (!(error instanceof ApiRefusedError && error.status === 410)) throw error
    }
  }
  const { nodes, link } = await collect(graph, options, undefined, new Map())
  if (isTrial) return nodes
  const { lists } = await settleLists(graph, options, { nodes, changed: new Map() })
  await items.remove([LINK])
  await items.keepOnly((key) => nodes.has(key))
  await items.save(statesOf(nodes))
  await items.save(new Map([[LINK, JSON.stringify({ endpoint, driveId, link, lists })]]))
  return nodes
}

async function updateMirror(graph: Graph, options: MirrorOptions, stored: z.infer<typeof Link>) {
  const { driveId, endpoint, items } = options
  const before = new Map<string, DriveNode>()
  for await (const [key, state] of items.list()) if (key !== LINK) before.set(key, parsed(state) as DriveNode)
  const { nodes, changed, link } = await collect(graph, options, stored.link, before)
  const { lists, forgotten } = await settleLists(graph, options, { nodes, changed, known: stored.lists })
  const touched = new Set([...changed.keys(), ...forgotten])
  const gone = [...touched].filter((id) => !nodes.has(id))
  const kept = [...touched].flatMap((id) => (nodes.has(id) ? [[id, nodes.get(id)!] as const] : []))
  await items.remove(gone)
  await items.save(statesOf(new Map(kept)))
  await items.save(new Map([[LINK, JSON.stringify({ endpoint, driveId, link, lists })]]))
  return nodes
}

/** Leaves those permissions on the nodes that may be relied on: all others are asked for when they are needed. */
async function settleLists(
  graph: Graph,
  { keepsLists, rootId, driveId, signal }: MirrorOptions,
  { nodes, changed, known }: { nodes: Map<string, DriveNode>; changed: Changed; known?: KnownLists | undefined },
): Promise<{ lists?: KnownLists; forgotten: ReadonlySet<string> }> {
  if (!keepsLists) {
    for (const node of nodes.values()) delete node.permissions
    return { forgotten: new Set() }
  }
  const relied = mayRely(known) ? known : undefined
  const settled = await forgetChanged({ rootId, known: relied, nodes, changed }, (itemId) =>
    graph.permissions(driveId, itemId, signal),
  )
  return { lists: settled.known, forgotten: settled.stored }
}

/** Items that the list of changes named, with the permissions that were known of them. */
type Changed = Map<string, Permission[] | undefined>

async function collect(
  graph: Graph,
  { driveId, isTrial, keepsLists, signal }: MirrorOptions,
  since: string | undefined,
  nodes: Map<string, DriveNode>,
) {
  const changed: Changed = new Map()
  let last: string | undefined
  for await (const { items, link } of graph.changes(driveId, since, keepsLists, signal)) {
    // An item may come more than once: the last time counts.
    for (const item of items) {
      if (!changed.has(item.id)) changed.set(item.id, nodes.get(item.id)?.permissions)
      const node = nodeOf(item)
      if (node) nodes.set(item.id, node)
      else nodes.delete(item.id)
    }
    last = link
    if (isTrial) break
  }
  return { nodes, changed, link: last }
}

const statesOf = (nodes: ReadonlyMap<string, DriveNode>): Map<string, string> =>
  new Map([...nodes].map(([id, node]) => [id, JSON.stringify(node)]))

function parsed(state: string | undefined): unknown {
  return state === undefined ? undefined : JSON.parse(state)
}

/** Undefined for what is no more, and for the root, which has no name. */
function nodeOf(item: DriveItem): TreeNode | undefined {
  const { id, name, size, webUrl, parentReference } = item
  const parentId = parentReference?.id
  if (item.deleted || item.root || name === undefined || parentId === undefined) return undefined
  const problem = (reason: string): TreeNode => ({ id, parentId, name, kind: 'problem', reason })
  if (item.malware) return problem('Microsoft found malware in it')
  if (item.remoteItem) return problem('a shortcut to another drive, which is not followed')
  if (item.package) return problem('a notebook of OneNote, which is no file')
  if (item.folder) return { id, parentId, name, kind: 'folder' }
  if (!item.file) return problem('a kind of item that cannot be downloaded')
  const hasAddress = webUrl !== undefined && webUrl.length <= LONGEST_ADDRESS
  return {
    id,
    parentId,
    name,
    kind: 'file',
    version: versionOf(item),
    sizeBytes: size ?? 0,
    ...(hasAddress && { metadata: { url: webUrl } }),
  }
}

/** A hash of the content, where the service has one; its tags change with other things, too. */
function versionOf({ file, cTag, eTag, lastModifiedDateTime, size }: DriveItem): string {
  const { quickXorHash, sha256Hash, sha1Hash } = (file?.hashes ?? {}) as Record<string, unknown>
  const hash = [quickXorHash, sha256Hash, sha1Hash].find((one) => typeof one === 'string')
  return String(hash ?? cTag ?? eTag ?? `${lastModifiedDateTime} ${size}`)
}
