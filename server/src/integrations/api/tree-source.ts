import type { Readable } from 'node:stream'
import type { Readers } from '../../access/access.ts'
import type { FileMetadata } from '../../drive/drive.ts'
import { slicesOf } from '../../platform/database/in-slices.ts'
import { createFileFilter } from '../file-filter.ts'
import { type Source, type SourceEntry, SourceItemError, SourceUnavailableError } from '../source.ts'
import { createAskOnce } from './ask-once.ts'
import { type FoundAccess, orNobody } from './found-access.ts'

const MOST_NODES = 100_000
const LONGEST_NAME = 200
/** Files and folders that a source which is only tried is listed to. */
const MOST_TRIED = 50
const ASKED_AT_ONCE = 8

/** File or folder of a provider that knows them by ids. */
export interface TreeNode {
  id: string
  /** Folder that it is in; one that is in no listed folder is left out. */
  parentId: string
  /** Name given by people. */
  name: string
  kind: 'file' | 'folder' | 'problem'
  /** Differs when the content may differ; of files. */
  version?: string
  sizeBytes?: number
  metadata?: FileMetadata
  /** Readers of it there; null: everybody. Absent: the provider does not say. */
  access?: Readers | null | undefined
  /** Reason that `access` lists fewer people than may read it there. */
  accessProblem?: string | undefined
  /** Reason for leaving it out, where `kind` says so. */
  reason?: string
}

interface Placed {
  node: TreeNode
  path: string[]
}

interface TreeOptions {
  isTrial: boolean
  /** Asks who may read a file, where the nodes do not say it and the settings want it. */
  findAccess?: ((node: TreeNode, signal: AbortSignal) => Promise<FoundAccess>) | undefined
  /** Number of files whose access is asked for at once. Default 8. */
  askedAtOnce?: number
}

/**
 * A source of which everything is listed before anything is brought, so that what moved or got another name keeps its
 * id.
 * @param nodes all files and folders; read once, and where the source is only tried not to their end
 */
export async function createTreeSource(
  config: { include: string[]; exclude: string[] },
  rootId: string,
  nodes: AsyncIterable<TreeNode>,
  read: (node: TreeNode, signal: AbortSignal) => Promise<Readable>,
  { isTrial, findAccess, askedAtOnce = ASKED_AT_ONCE }: TreeOptions,
): Promise<Source> {
  const filter = createFileFilter(config)
  const below = place(await collect(nodes, rootId, isTrial), rootId)
  const files = new Map<string, Placed>()
  /** A folder may be listed more than once in a sync. */
  const accessOnce = createAskOnce<FoundAccess>()
  for (const placed of [...below.values()].flat())
    if (placed.node.kind === 'file' && filter.takesFile(placed.path)) files.set(placed.path.join('/'), placed)

  return {
    async *list(folder, signal) {
      for (const slice of slicesOf(below.get(folder.join('/')) ?? [], askedAtOnce)) {
        const entries = await Promise.all(slice.map(({ node, path }) => listed(node, path, signal)))
        yield* entries.filter((entry) => entry !== undefined)
      }
    },
    async *files() {
      for (const { node, path } of files.values()) yield { path, version: versionOf(node) }
    },
    idOf: (version) => version.slice(0, version.indexOf(' ')),
    async open(file, signal) {
      const placed = files.get(file.join('/'))
      if (!placed) throw new SourceItemError('the provider knows nothing there')
      return read(placed.node, signal)
    },
  }

  async function listed(node: TreeNode, path: string[], signal: AbortSignal): Promise<SourceEntry | undefined> {
    const entry = entryOf(node, path)
    if (entry?.kind !== 'file' || !findAccess || isTrial) return entry
    const { access, problem } = await accessOnce(node.id, () => orNobody(findAccess(node, signal)))
    return { ...entry, access, accessProblem: problem }
  }

  function entryOf(node: TreeNode, path: string[]): SourceEntry | undefined {
    const name = path.at(-1)!
    if (node.kind === 'folder') return filter.takesFolder(path) ? { kind: 'folder', name } : undefined
    if (!filter.takesFile(path)) return undefined
    if (node.kind === 'problem') return { kind: 'problem', name, reason: node.reason ?? 'unknown', isKept: false }
    const { sizeBytes = 0, metadata, access, accessProblem } = node
    return { kind: 'file', name, version: versionOf(node), sizeBytes, metadata, access, accessProblem }
  }
}

/** Begins with the id: two files with equal content are not mistaken for one that moved. */
const versionOf = ({ id, version }: TreeNode): string => `${id} ${version}`

async function collect(
  nodes: AsyncIterable<TreeNode>,
  rootId: string,
  isTrial: boolean,
): Promise<Map<string, TreeNode[]>> {
  const byParent = new Map<string, TreeNode[]>()
  const seen = new Set([rootId])
  for await (const node of nodes) {
    if (seen.has(node.id)) continue
    seen.add(node.id)
    if (seen.size > MOST_NODES)
      throw new SourceUnavailableError('folder', `has more than ${MOST_NODES} files and folders`)
    const siblings = byParent.get(node.parentId)
    if (siblings) siblings.push(node)
    else byParent.set(node.parentId, [node])
    if (isTrial && seen.size > MOST_TRIED) break
  }
  return byParent
}

/** Entries directly in each folder, by the folder's path. */
function place(byParent: Map<string, TreeNode[]>, rootId: string): Map<string, Placed[]> {
  const below = new Map<string, Placed[]>()
  const open = [{ id: rootId, path: [] as string[] }]
  for (let at = open.pop(); at; at = open.pop()) {
    const { id, path } = at
    const nodes = byParent.get(id) ?? []
    const counts = Map.groupBy(nodes, usableName)
    // All of one name get their ids: a file keeps its path, whatever comes and goes beside it.
    const nameOf = (node: TreeNode) => (counts.get(usableName(node))!.length > 1 ? nameWithId(node) : usableName(node))
    const placed = nodes.map((node) => ({ node, path: [...path, nameOf(node)] }))
    below.set(path.join('/'), placed)
    for (const { node, path } of placed) if (node.kind === 'folder') open.push({ id: node.id, path })
  }
  return below
}

function partsOf(name: string): { stem: string; extension: string } {
  const usable = name.replace(/[/\0]/g, '_').trim()
  const extension = /\.[^.]{1,10}$/.exec(usable)?.[0] ?? ''
  const stem = usable.slice(0, usable.length - extension.length).slice(0, LONGEST_NAME)
  return { stem: /^\.*$/.test(stem) ? '_' : stem, extension }
}

function usableName({ name }: TreeNode): string {
  const { stem, extension } = partsOf(name)
  return stem + extension
}

function nameWithId({ name, id }: TreeNode): string {
  const { stem, extension } = partsOf(name)
  return `${stem} (${id})${extension}`
}
