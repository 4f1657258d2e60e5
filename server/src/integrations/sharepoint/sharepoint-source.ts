import type { Outbound } from '../../platform/outbound/outbound.ts'
import { orFieldError } from '../api/api-refused.ts'
import { everybody, orNotObeyed } from '../api/found-access.ts'
import { createTreeSource, type TreeNode } from '../api/tree-source.ts'
import { type Source, type SourceContext, SourceUnavailableError } from '../source.ts'
import { noItems } from '../source-items.ts'
import { LARGEST_BATCH } from './batches.ts'
import { readDrive } from './drive-mirror.ts'
import { createGraph, type Graph } from './graph.ts'
import { createKnownPermissions } from './known-permissions.ts'
import { createAccessFinder } from './permissions.ts'
import type { SharePointConfig } from './sharepoint-kind.ts'

/** @throws SourceUnavailableError */
export async function openSharePoint(
  outbound: Outbound,
  config: SharePointConfig,
  { signal, tokensOf, items, id }: SourceContext,
): Promise<Source> {
  const graph = createGraph(outbound, config, tokensOf)
  const drive = await findDrive(graph, config, signal)
  const folder = config.folder ? `/root:/${config.folder.split('/').map(encodeURIComponent).join('/')}` : '/root'
  const root = await orFieldError(
    graph.find(`/drives/${drive.id}${folder}?$select=id,name`, signal),
    config.folder ? 'folder' : fieldOf(config),
    (reason) => `cannot be read: ${reason}`,
  )
  const isTrial = id === undefined
  const driveId = drive.id
  if (isTrial && config.obey_access) {
    const tried = createAccessFinder(graph, (itemId, signal) => graph.permissions(driveId, itemId, signal))
    await orNotObeyed(tried(root.id, signal), 'Microsoft')
  }
  const keepsLists = !isTrial && config.obey_access && (await graph.tellsSharing(signal))
  const { endpoint } = config
  const nodes = await readDrive(graph, { driveId, endpoint, rootId: root.id, items, keepsLists, isTrial, signal })
  const known = createKnownPermissions(graph, driveId, nodes, keepsLists ? items : noItems)
  const findAccess = createAccessFinder(graph, known.of)
  const read = (node: TreeNode, signal: AbortSignal) => graph.content(driveId, node.id, signal)
  const source = await createTreeSource(config, root.id, below(nodes, root.id), read, {
    isTrial,
    askedAtOnce: LARGEST_BATCH,
    findAccess: config.obey_access ? ({ id }, signal) => findAccess(id, signal) : everybody,
  })
  return { ...source, close: async () => (signal.aborted ? undefined : known.save()) }
}

const fieldOf = ({ site, user, connection }: SharePointConfig): string =>
  site !== undefined ? 'site' : user !== undefined || connection === undefined ? 'user' : 'connection'

async function findDrive(graph: Graph, config: SharePointConfig, signal: AbortSignal): Promise<{ id: string }> {
  const { site, user, library } = config
  if (site === undefined) {
    const path = user === undefined ? '/me/drive' : `/users/${encodeURIComponent(user)}/drive`
    return orFieldError(
      graph.find(`${path}?$select=id,name`, signal),
      fieldOf(config),
      (reason) => `has no OneDrive that can be read: ${reason}`,
    )
  }
  const { host, pathname } = new URL(site)
  const path = pathname.replace(/\/+$/, '')
  const found = await orFieldError(
    graph.find(`/sites/${host}${path && `:${path}`}?$select=id,name`, signal),
    'site',
    (reason) =>
      `cannot be read (${reason}): give the address of the site itself, such as https://example.sharepoint.com/sites/team`,
  )
  if (library === undefined)
    return orFieldError(
      graph.find(`/sites/${found.id}/drive?$select=id,name`, signal),
      'site',
      (reason) => `has no document library that can be read: ${reason}`,
    )
  return findLibrary(graph, found.id, library, signal)
}

/** A library by the name that people see, or by the one in its address. */
async function findLibrary(graph: Graph, siteId: string, library: string, signal: AbortSignal) {
  const names: string[] = []
  const wanted = library.toLowerCase()
  for await (const { id, name = '', webUrl } of graph.listDrives(siteId, signal)) {
    const inAddress = decodeURIComponent(
      URL.parse(webUrl ?? '')
        ?.pathname.split('/')
        .at(-1) ?? '',
    )
    if ([name.toLowerCase(), inAddress.toLowerCase()].includes(wanted)) return { id }
    names.push(name)
  }
  throw new SourceUnavailableError('library', `is none of this site, which has: ${names.slice(0, 20).join(', ')}`)
}

/** Everything below a folder, so that the rest of a large drive counts for nothing. */
async function* below(nodes: Map<string, TreeNode>, rootId: string): AsyncGenerator<TreeNode> {
  const byParent = Map.groupBy(nodes.values(), ({ parentId }) => parentId)
  const folders = [rootId]
  for (const at of folders)
    for (const node of byParent.get(at) ?? []) {
      if (node.kind === 'folder') folders.push(node.id)
      yield node
    }
}
