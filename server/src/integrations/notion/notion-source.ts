import { Readable } from 'node:stream'
import { z } from 'zod'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { createApiClient } from '../api/api-client.ts'
import { checkedAnswer, orFieldError } from '../api/api-refused.ts'
import { bearerToken } from '../api/bearer-token.ts'
import { createTreeSource, type TreeNode } from '../api/tree-source.ts'
import { type Source, type SourceContext, SourceItemError, SourceUnavailableError } from '../source.ts'
import type { NotionConfig } from './notion-kind.ts'
import { type Block, toMarkdown } from './notion-markdown.ts'
import { plainText, propertyLines, RichText } from './notion-text.ts'

const VERSION = '2025-09-03'
const MOST_BLOCKS = 20_000
const DEEPEST = 20
/** Times of changes are whole minutes: what changed since may have the same one. */
const UNSETTLED_MS = 120_000
const ROOT = 'root'
/** Pages that are looked at where the settings are only tried. */
const MOST_TRIED = 50

const Parent = z.looseObject({ type: z.string() })
type Parent = z.infer<typeof Parent>

const Item = z.looseObject({
  object: z.enum(['page', 'data_source']),
  id: z.string().min(1),
  last_edited_time: z.string(),
  in_trash: z.boolean().optional(),
  url: z.string().optional(),
  parent: Parent,
  /** Parent of the database that a data source is in. */
  database_parent: Parent.optional(),
  /** Name of a data source. */
  title: RichText.optional(),
  properties: z.record(z.string(), z.looseObject({ type: z.string() })).default({}),
})
type Item = z.infer<typeof Item>

const page = <T extends z.ZodType>(item: T) =>
  z.looseObject({
    results: z.array(item),
    has_more: z.boolean(),
    next_cursor: z.string().nullable(),
    request_status: z.looseObject({ type: z.string() }).optional(),
  })
const Found = page(Item)
const Blocks = page(z.looseObject({ id: z.string(), type: z.string(), has_children: z.boolean().default(false) }))
const OfBlock = z.looseObject({ parent: Parent })

/** @throws SourceUnavailableError */
export async function openNotion(
  outbound: Outbound,
  config: NotionConfig,
  { signal, tokensOf, id }: Pick<SourceContext, 'signal' | 'tokensOf' | 'id'>,
): Promise<Source> {
  const notion = notionOf(outbound, config, tokensOf)
  const items = new Map<string, Item>()
  const isTrial = id === undefined
  for await (const item of notion.search(signal)) {
    if (!item.in_trash) items.set(item.id, item)
    if (isTrial && items.size === MOST_TRIED) break
  }
  const nodes = nodesOf(items, async (blockId) => (isTrial ? undefined : notion.pageOf(blockId, signal)))
  const read = async ({ id }: TreeNode, signal: AbortSignal) => {
    const item = items.get(id)!
    const head = [`# ${titleOf(item)}`, ...propertyLines(item.properties)].join('\n\n')
    return Readable.from([`${head}\n\n${toMarkdown(await notion.blocks(id, signal))}`])
  }
  return createTreeSource(config, ROOT, nodes, read, { isTrial })
}

function notionOf(outbound: Outbound, config: NotionConfig, tokensOf: SourceContext['tokensOf']) {
  const { endpoint } = config
  const credentials = bearerToken(config, tokensOf)
  const client = createApiClient(outbound, {
    requestsPerSecond: config.requests_per_second,
    addressField: 'endpoint',
    ...credentials,
    authorize: async (...asked) => ({ ...(await credentials.authorize(...asked)), 'notion-version': VERSION }),
  })
  const base = endpoint.replace(/\/$/, '')
  const checked = <T>(schema: z.ZodType<T>, answer: unknown): T => checkedAnswer(schema, answer, 'Notion API')
  const next = ({ has_more, next_cursor }: { has_more: boolean; next_cursor: string | null }) =>
    has_more && next_cursor ? next_cursor : undefined

  async function* search(signal: AbortSignal): AsyncGenerator<Item> {
    let cursor: string | undefined
    do {
      const sort = { direction: 'ascending', timestamp: 'last_edited_time' }
      const body = JSON.stringify({ page_size: 100, sort, start_cursor: cursor })
      const headers = { 'content-type': 'application/json' }
      const answer = client.json(`${base}/search`, signal, { method: 'POST', headers, body })
      const found = checked(Found, await orFieldError(answer, 'endpoint', (reason) => reason))
      // A list with gaps would make files go that are there.
      if (found.request_status && found.request_status.type !== 'complete')
        throw new SourceUnavailableError('endpoint', 'Notion could not list everything')
      yield* found.results
      cursor = next(found)
    } while (cursor)
  }

  async function children(id: string, signal: AbortSignal, budget: { left: number }, depth: number): Promise<Block[]> {
    const all: Block[] = []
    let cursor: string | undefined
    do {
      const query = new URLSearchParams({ page_size: '100', ...(cursor && { start_cursor: cursor }) })
      const found = checked(Blocks, await client.json(`${base}/blocks/${id}/children?${query}`, signal))
      for (const block of found.results) {
        if (--budget.left < 0) throw new SourceItemError(`has more than ${MOST_BLOCKS} blocks`)
        const isOwn = block.has_children && !block.type.startsWith('child_') && depth < DEEPEST
        all.push({ ...block, children: isOwn ? await children(block.id, signal, budget, depth + 1) : [] })
      }
      cursor = next(found)
    } while (cursor)
    return all
  }

  return {
    search,
    blocks: (pageId: string, signal: AbortSignal) => children(pageId, signal, { left: MOST_BLOCKS }, 0),
    /** Page that a block lies in, or undefined where it cannot be read. */
    async pageOf(blockId: string, signal: AbortSignal): Promise<string | undefined> {
      let id = blockId
      try {
        for (let depth = 0; depth < DEEPEST; depth++) {
          const { parent } = checked(OfBlock, await client.json(`${base}/blocks/${id}`, signal))
          if (parent.type !== 'block_id') return idIn(parent)
          id = idIn(parent) ?? ''
        }
      } catch (error) {
        if (!(error instanceof SourceItemError)) throw error
      }
      return undefined
    },
  }
}

/** Pages as files, what lies in a page or database in a folder beside it. */
async function* nodesOf(
  items: Map<string, Item>,
  pageOf: (blockId: string) => Promise<string | undefined>,
): AsyncGenerator<TreeNode> {
  const parents = new Map<string, string>()
  for (const item of items.values()) {
    const at = item.object === 'data_source' ? (item.database_parent ?? item.parent) : item.parent
    const id = at.type === 'block_id' ? await pageOf(idIn(at) ?? '') : idIn(at)
    if (id !== undefined && items.has(id)) parents.set(item.id, id)
  }
  // Pages that name each other as parents would be in no folder.
  for (const id of items.keys()) if (isCircular(id, parents)) parents.delete(id)
  const folders = new Set(parents.values())
  const unsettled = new Date(Date.now() - UNSETTLED_MS).toISOString()
  for (const item of items.values()) {
    const { id, url, last_edited_time: changed } = item
    const above = parents.get(id)
    const parentId = above === undefined ? ROOT : folderOf(above)
    const name = titleOf(item)
    if (folders.has(id)) yield { id: folderOf(id), parentId, name, kind: 'folder' }
    if (item.object === 'page')
      yield {
        id,
        parentId,
        name: `${name}.md`,
        kind: 'file',
        version: changed < unsettled ? changed : `${changed} unsettled`,
        ...(url && { metadata: { url } }),
      }
  }
}

const folderOf = (id: string): string => `${id}-pages`

function isCircular(id: string, parents: Map<string, string>): boolean {
  const seen = new Set<string>()
  for (let at: string | undefined = id; at !== undefined; at = parents.get(at)) {
    if (seen.has(at)) return at === id
    seen.add(at)
  }
  return false
}

/** Id that a parent names, under a field called like its type. */
function idIn(parent: Parent): string | undefined {
  const id = parent[parent.type]
  return typeof id === 'string' ? id : undefined
}

function titleOf({ title, properties }: Item): string {
  const ofPage = Object.values(properties).find(({ type }) => type === 'title')?.title
  return (title ? plainText(title) : plainText(ofPage)).trim().slice(0, 150) || 'Untitled'
}
