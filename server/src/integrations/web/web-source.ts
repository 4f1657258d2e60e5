import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import {
  type Source,
  type SourceContext,
  type SourceEntry,
  SourceItemError,
  SourceUnavailableError,
} from '../source.ts'
import { crawl } from './crawl.ts'
import { type Robots, readRobots } from './robots.ts'
import { createSiteScope, isDocumentAddress, isSameSite, normalAddress } from './site-addresses.ts'
import {
  createSiteClient,
  failureOf,
  MOST_REDIRECTS,
  type SiteClient,
  SiteFailure,
  type SiteReply,
} from './site-client.ts'
import { kindOf, readPage } from './site-page.ts'
import { readSitemaps } from './sitemap.ts'
import { stateOf } from './visit.ts'
import type { WebSourceConfig } from './web-kind.ts'

/** Changed pages that are kept between being crawled and being stored; others are asked for again. */
const MOST_KEPT_BYTES = 1024 ** 3

type Reading = Pick<SourceContext, 'items' | 'signal' | 'id'>

interface SiteOptions extends Reading {
  outbound: Outbound
  workDir: string
  config: WebSourceConfig
}

/** The pages of a site as files of one folder, named by their addresses. @throws SourceUnavailableError */
export async function openSite(options: SiteOptions): Promise<Source> {
  const { outbound, workDir, config, items, signal } = options
  const client = createSiteClient(outbound, config.requests_per_second)
  const { start, robots } = await unlessDown(() => findStart(client, config, { items, signal }))
  if (robots.crawlDelaySeconds) client.slowDown(robots.crawlDelaySeconds)
  const scope = createSiteScope(config, start)
  if (config.discover === 'links' && !robots.allows(start))
    throw new SourceUnavailableError('url', 'its robots.txt does not allow programs to read this address')
  if (config.discover === 'links' && !scope.has(start))
    throw new SourceUnavailableError('path_prefix', 'must be the beginning of the path of the start address')
  await mkdir(workDir, { recursive: true })
  const folder = await mkdtemp(join(workDir, 'site-'))
  const kept = createKeptPages(folder)

  async function* list(signal: AbortSignal): AsyncGenerator<SourceEntry> {
    const site = { client, robots, scope, items, takesDocuments: config.documents, signal, keep: kept.add }
    let files = 0
    const found = config.discover === 'links' ? { pages: [start], failures: [] } : await pagesOf(signal)
    const maxDepth = config.discover === 'links' ? config.max_depth : 0
    for (const { address, reason } of found.failures) yield { kind: 'problem', name: address, reason, isKept: false }
    const isPartial = found.failures.length > 0
    for await (const entry of crawl({ ...site, from: found.pages, isPartial, maxDepth, maxPages: config.max_pages })) {
      if (entry.kind === 'file') files++
      if (entry.kind === 'problem' && entry.name === start && files === 0 && config.discover === 'links')
        throw new SourceUnavailableError('url', entry.reason)
      yield entry
    }
    if (files === 0) throw new SourceUnavailableError('url', 'no page was found there that has text and may be read')
  }

  async function pagesOf(signal: AbortSignal) {
    const named = config.sitemaps.length > 0 ? config.sitemaps : robots.sitemaps
    const addresses = named.length > 0 ? named : [`${scope.origin}/sitemap.xml`]
    // A page more than is read shows that there are too many.
    const found = await readSitemaps(client, addresses, { mostPages: config.max_pages + 1, signal })
    const failure = found.failures[0]
    if (failure && found.pages.size === 0)
      throw new SourceUnavailableError(config.sitemaps.length > 0 ? 'sitemaps' : 'discover', failure.reason)
    return found
  }

  return {
    list: (_, signal) => list(signal),
    open: async ([address = ''], signal) => kept.open(address) ?? readAgain(client, address, signal),
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Follows the start address to where the site is. @throws SiteFailure, SourceUnavailableError */
async function findStart(client: SiteClient, config: WebSourceConfig, { items, signal }: Reading) {
  let at = normalAddress(config.url)!
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const robots: Robots = await readRobots(client, new URL(at).origin, signal)
    if (!robots.allows(at)) return { start: at, robots }
    const reply = await client.get(at, signal, await stateOf(items, at))
    reply.close()
    if (reply.redirect === undefined) {
      if (reply.status === 200 || reply.status === 304 || config.discover === 'sitemap') return { start: at, robots }
      throw new SourceUnavailableError('url', `the site answered ${reply.status}`)
    }
    const next = normalAddress(reply.redirect)
    if (next === undefined || !isSameSite(next, at))
      throw new SourceUnavailableError('url', `it redirects to another site: ${reply.redirect.slice(0, 200)}`)
    at = next
  }
  throw new SourceUnavailableError('url', `it redirects more than ${MOST_REDIRECTS} times`)
}

async function unlessDown<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof SiteFailure)) throw error
    throw new SourceUnavailableError('url', error.message, { cause: error })
  }
}

/** Pages that changed, on disk until they are stored. */
function createKeptPages(folder: string) {
  const paths = new Map<string, string>()
  let bytes = 0
  return {
    async add(
      content: Buffer,
      { at, state, known }: { at: string; state: { version: string }; known?: { version: string } },
    ) {
      if (state.version === known?.version || bytes + content.length > MOST_KEPT_BYTES) return
      bytes += content.length
      const path = join(folder, String(paths.size))
      await writeFile(path, content)
      paths.set(at, path)
    },
    open(address: string): Readable | undefined {
      const path = paths.get(address)
      return path === undefined ? undefined : createReadStream(path)
    },
  }
}

/** Content of an address that is not on disk: documents, and pages that an earlier sync read but did not store. */
async function readAgain(client: SiteClient, address: string, signal: AbortSignal): Promise<Readable> {
  try {
    const reply = await client.get(address, signal, { isDocument: isDocumentAddress(address) })
    if (reply.status !== 200) {
      reply.close()
      throw new SourceItemError(`the site answered ${reply.status}`)
    }
    if (kindOf(reply, address) !== 'page')
      return Readable.from(readContent(reply, address, signal), { objectMode: false })
    return Readable.from([(await readPage(reply, address, signal)).content], { objectMode: false })
  } catch (error) {
    if (!(error instanceof SiteFailure)) throw error
    throw new SourceItemError(error.message, { cause: error })
  }
}

async function* readContent(reply: SiteReply, address: string, signal: AbortSignal): AsyncIterable<Buffer> {
  try {
    yield* reply.body() as AsyncIterable<Buffer>
  } catch (error) {
    signal.throwIfAborted()
    throw new SourceItemError(failureOf(error, address).message, { cause: error })
  }
}
