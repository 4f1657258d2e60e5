import { Readable } from 'node:stream'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { orFieldError } from '../api/api-refused.ts'
import { everybody, orNotObeyed } from '../api/found-access.ts'
import { readPageInThread } from '../api/page-in-thread.ts'
import { createTreeSource, type TreeNode } from '../api/tree-source.ts'
import { type Source, type SourceContext, SourceItemError, SourceUnavailableError } from '../source.ts'
import {
  type Attachment,
  type Confluence,
  createConfluence,
  type Folder,
  type Page,
  type Space,
} from './confluence-api.ts'
import type { ConfluenceConfig } from './confluence-kind.ts'
import { createPageAccess } from './page-access.ts'
import { nodesOfSpace, ROOT, urlOf } from './space-tree.ts'

/** Pages that are looked at where the settings are only tried. */
const MOST_TRIED = 50

/** @throws SourceUnavailableError */
export async function openConfluence(
  outbound: Outbound,
  config: ConfluenceConfig,
  { signal, tokensOf, id }: SourceContext,
): Promise<Source> {
  const isTrial = id === undefined
  const confluence = await createConfluence(outbound, config, tokensOf, signal)
  const spaces = await orFieldError(
    findSpaces(confluence, config, signal),
    'site',
    (reason) => `has no spaces that can be read: ${reason}`,
  )
  const pages = new Map<string, Page>()
  const folders = new Map<string, Folder>()
  const spaceOfPage = new Map<string, Space>()
  const attached = new Map<string, Attachment>()

  async function* nodes(): AsyncGenerator<TreeNode> {
    if (!config.pages_only && !isTrial)
      for await (const attachment of confluence.attachments(signal)) attached.set(attachment.id, attachment)
    const byPage = Map.groupBy(attached.values(), ({ pageId }) => pageId)
    for (const space of spaces) {
      yield { id: `space-${space.id}`, parentId: ROOT, name: space.name, kind: 'folder' }
      const found = []
      for await (const page of confluence.pages(space.id, signal)) {
        found.push(page)
        pages.set(page.id, page)
        spaceOfPage.set(page.id, space)
        if (isTrial && found.length === MOST_TRIED) break
      }
      yield* nodesOfSpace(space, found, {
        site: config.site,
        async folderOf(id) {
          const folder = isTrial ? undefined : await confluence.folder(id, signal)
          if (folder) folders.set(id, folder)
          return folder
        },
        attachedTo: (pageId) => byPage.get(pageId) ?? [],
      })
    }
  }

  async function read({ id }: TreeNode, signal: AbortSignal): Promise<Readable> {
    const pageId = attached.get(id)?.pageId
    if (pageId) return confluence.file(pageId, id, signal)
    const page = pages.get(id)!
    const text = await textOf(await confluence.html(id, signal), urlOf(config.site, page) ?? config.site)
    return Readable.from([`# ${page.title}\n\n${text}\n`])
  }

  const access = createPageAccess(confluence, {
    parentOf(id) {
      const item = pages.get(id) ?? folders.get(id)
      if (!item) throw new SourceItemError('it lies below something that the provider does not show')
      return item.parentId ?? null
    },
    spaceOf: (pageId) => spaceOfPage.get(pageId)!,
  })
  const [first] = spaces
  if (isTrial && config.obey_access && first) await orNotObeyed(access.readersOfSpace(first.id, signal), 'Confluence')
  const findAccess = ({ id }: TreeNode, signal: AbortSignal) => access.find(attached.get(id)?.pageId ?? id, signal)
  return createTreeSource(config, ROOT, nodes(), read, {
    isTrial,
    findAccess: config.obey_access ? findAccess : everybody,
  })
}

async function findSpaces(confluence: Confluence, { spaces }: ConfluenceConfig, signal: AbortSignal): Promise<Space[]> {
  const found: Space[] = []
  for await (const space of confluence.spaces(signal)) found.push(space)
  const missing = spaces.filter((key) => !found.some((space) => space.key === key))
  if (missing.length > 0)
    throw new SourceUnavailableError(
      'spaces',
      `there is none, or none that can be read, with the key ${missing.join(', ')}`,
    )
  return found
}

async function textOf(html: string, address: string): Promise<string> {
  try {
    const task = { bytes: Buffer.from(html), isHtml: true, charset: 'utf-8', address }
    return (await readPageInThread(task)).text
  } catch (error) {
    throw new SourceItemError('could not be read: it is too large or too tangled', { cause: error })
  }
}
