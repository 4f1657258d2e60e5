import type { TreeNode } from '../api/tree-source.ts'
import type { Attachment, Folder, Page, Space } from './confluence-api.ts'

export const ROOT = 'root'
const DEEPEST = 50

interface SpaceTree {
  site: string
  /** Folder between pages; undefined for one that cannot be read. */
  folderOf(id: string): Promise<Folder | undefined>
  attachedTo(pageId: string): Attachment[]
}

/**
 * Pages as files, what lies below a page in a folder beside it; what lies below the home page of a space is in the
 * space's own folder.
 */
export async function* nodesOfSpace(space: Space, pages: Page[], tree: SpaceTree): AsyncGenerator<TreeNode> {
  const byId = new Map(pages.map((page) => [page.id, page]))
  const folders = await foldersAmong(pages, byId, tree)
  const top = `space-${space.id}`

  /** Folder that something below a page or folder stands in. */
  function placeBelow(parentId: string | null | undefined): string {
    if (!parentId || parentId === space.homepageId) return top
    if (byId.has(parentId)) return below(parentId)
    return folders.has(parentId) ? `folder-${parentId}` : top
  }
  for (const { id, title, parentId } of folders.values())
    yield { id: `folder-${id}`, parentId: placeBelow(parentId), name: title, kind: 'folder' }
  const parents = new Set([...pages, ...folders.values()].map(({ parentId }) => parentId))
  for (const page of pages) {
    const { id, title } = page
    const isHome = id === space.homepageId
    const place = isHome ? top : placeBelow(page.parentId)
    const attachments = tree.attachedTo(id)
    if (!isHome && (parents.has(id) || attachments.length > 0))
      yield { id: below(id), parentId: place, name: title, kind: 'folder' }
    yield fileNode(page, place, `${title}.md`, tree.site)
    for (const attachment of attachments)
      yield fileNode(attachment, isHome ? top : below(id), attachment.title, tree.site)
  }
}

function fileNode(item: Page | Attachment, parentId: string, name: string, site: string): TreeNode {
  const url = urlOf(site, item)
  return {
    id: item.id,
    parentId,
    name,
    kind: 'file',
    version: `v${item.version?.number ?? 1}`,
    sizeBytes: typeof item.fileSize === 'number' ? item.fileSize : 0,
    ...(url && { metadata: { url } }),
  }
}

const below = (pageId: string): string => `${pageId}-below`

/** Address for people of a page or attachment. */
export const urlOf = (site: string, { _links }: Pick<Page, '_links'>): string | undefined =>
  _links?.webui && `${site}/wiki${_links.webui}`

/** Folders that pages lie in, up to the top of the space. */
async function foldersAmong(pages: Page[], byId: Map<string, Page>, { folderOf }: SpaceTree) {
  const folders = new Map<string, Folder>()
  const looked = new Set<string>()
  for (const page of pages) {
    let at: Pick<Page, 'parentId' | 'parentType'> | undefined = page
    for (let depth = 0; depth < DEEPEST && at?.parentId && !byId.has(at.parentId); depth++) {
      const id: string = at.parentId
      if (at.parentType !== 'folder' || looked.has(id)) break
      looked.add(id)
      at = await folderOf(id)
      if (at) folders.set(id, at as Folder)
    }
  }
  return folders
}
