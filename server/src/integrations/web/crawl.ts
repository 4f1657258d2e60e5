import { type SourceEntry, SourceUnavailableError } from '../source.ts'
import { normalAddress } from './site-addresses.ts'
import { toSourceFile } from './site-page.ts'
import { type SiteVisitor, type Visit, visit } from './visit.ts'

const AT_ONCE = 4
/** Addresses that wait to be read, and those that were, at most: some dozen megabytes. */
const MOST_SEEN = 200_000
/** Addresses that differ in their query alone, of which calendars and filters make endlessly many. */
const MOST_QUERIES = 100
/** Failures one after the other, from which on the site counts as down. */
const OUTAGE = 5

export interface CrawlOptions extends SiteVisitor {
  /** Addresses to begin with; the first is read alone. */
  from: Iterable<string>
  maxDepth: number
  maxPages: number
  /** Whether there are pages that are not among those. */
  isPartial: boolean
  /** Keeps the content of a page that changed until the sync asks for it. */
  keep(content: Buffer, visit: Extract<Visit, { outcome: 'read' }>): Promise<void>
}

/** Reads a site, page by page in the order of their distance from its beginning, and says what becomes a file. */
export async function* crawl(options: CrawlOptions): AsyncGenerator<SourceEntry> {
  const frontier = createFrontier(options)
  for (const address of options.from) frontier.add(address, 0)
  const files = createFiles(options)
  let failures = 0
  let { isPartial } = options
  const gone = new Set<string>()
  for (let batch = frontier.next(AT_ONCE); batch.length > 0; batch = frontier.next(AT_ONCE)) {
    const visits = await Promise.all(
      batch.map(async ({ address, depth }) => ({ address, depth, visit: await visit(options, address) })),
    )
    await saveStates(
      options,
      visits.map(({ visit }) => visit),
    )
    for (const { address, depth, visit } of visits) {
      frontier.reached(visit.at)
      if (visit.outcome === 'gone' && visit.known) gone.add(visit.at)
      // A page that was read before may have led to others, which are not known now.
      if (visit.outcome === 'failed' && visit.known && options.maxDepth > 0) isPartial = true
      failures = visit.outcome === 'failed' && visit.isOutage ? failures + 1 : 0
      if (failures >= OUTAGE) {
        await requireUp(options)
        failures = 0
      }
      if (visit.outcome === 'read') {
        if (visit.content) await options.keep(visit.content, visit)
        if (visit.state.isFollowed && depth < options.maxDepth)
          for (const link of visit.state.links) frontier.add(link, depth + 1)
      }
      yield* files.entriesOf(address, visit, (canonical) => frontier.add(canonical, depth))
    }
  }
  yield* files.rest()
  const endless = frontier.endless()
  if (endless > 0) yield { kind: 'problem', name: '', reason: `${endless} ${ENDLESS}`, isKept: false }
  if (frontier.isCut()) yield { kind: 'incomplete', reason: `there are more than ${options.maxPages} ${MORE}`, gone }
  else if (isPartial) yield { kind: 'incomplete', gone }
  else await options.items.keepOnly((address) => frontier.has(address))
}

/** Tells pages that are broken from a site that is down. @throws SourceUnavailableError */
async function requireUp(options: CrawlOptions): Promise<void> {
  const [first = ''] = options.from
  const again = await visit(options, first)
  if (again.outcome === 'failed') throw new SourceUnavailableError('url', `it stopped answering: ${again.reason}`)
}

async function saveStates({ items }: CrawlOptions, visits: readonly Visit[]): Promise<void> {
  const states = new Map<string, string>()
  for (const visit of visits)
    if (visit.outcome === 'read' && visit.state !== visit.known) states.set(visit.at, JSON.stringify(visit.state))
  await items.save(states)
}

/** Addresses to read, each once, the nearest first. */
function createFrontier({ scope, maxPages }: CrawlOptions) {
  const seen = new Set<string>()
  const queries = new Map<string, number>()
  let open: { address: string; depth: number }[] = []
  let taken = 0
  let endless = 0

  function isTrap(address: string): boolean {
    const { pathname, search } = new URL(address)
    if (scope.isEndless(address) || seen.size >= MOST_SEEN) return true
    if (search === '') return false
    const count = (queries.get(pathname) ?? 0) + 1
    queries.set(pathname, count)
    return count > MOST_QUERIES
  }

  return {
    add(link: string, depth: number): void {
      const address = normalAddress(link)
      if (address === undefined || seen.has(address) || !scope.has(address)) return
      if (isTrap(address)) endless++
      else {
        seen.add(address)
        open.push({ address, depth })
      }
    },
    /** Notes an address that a redirect led to: it is not read again. */
    reached: (address: string) => seen.add(address),
    has: (address: string) => seen.has(address),
    next(count: number) {
      // The first page decides whether the site is there at all.
      const size = Math.min(taken === 0 ? 1 : count, maxPages - taken)
      const batch = open.slice(0, size)
      open = open.slice(size)
      taken += batch.length
      return batch
    },
    /** Whether there is more than may be read. */
    isCut: () => open.length > 0 || seen.size >= MOST_SEEN,
    /** Number of addresses that were left out because there may be no end of them. */
    endless: () => endless,
  }
}

/** Folds pages that are one, by redirects and canonical addresses. */
function createFiles({ scope }: CrawlOptions) {
  /** Addresses of which it is said what becomes of them. */
  const settled = new Set<string>()
  const copies: { canonical: string; visit: Extract<Visit, { outcome: 'read' }> }[] = []

  function* toFile({ at, state }: Extract<Visit, { outcome: 'read' }>): Generator<SourceEntry> {
    settled.add(at)
    if (!state.isIndexed || !scope.takes(at)) return
    if (state.isEmpty) yield { kind: 'problem', name: at, reason: NO_TEXT, isKept: false }
    else yield toSourceFile(at, state)
  }

  return {
    *entriesOf(address: string, visit: Visit, addCanonical: (address: string) => void): Generator<SourceEntry> {
      const { at, known } = visit
      if (settled.has(at)) return
      if (visit.outcome === 'failed') {
        settled.add(at)
        yield { kind: 'problem', name: at, reason: visit.reason, isKept: true }
      }
      // A site that sends everything to a sign-in page is no reason to delete what it held.
      if (visit.outcome === 'elsewhere' && known)
        yield { kind: 'problem', name: address, reason: `redirects to ${at.slice(0, 200)}`, isKept: true }
      if (visit.outcome !== 'read') return
      const canonical = visit.state.canonical && normalAddress(visit.state.canonical)
      if (canonical && canonical !== at && scope.has(canonical)) {
        addCanonical(canonical)
        copies.push({ canonical, visit })
      } else yield* toFile(visit)
    },
    /** Pages that name another as theirs which turned out not to be there. */
    *rest(): Generator<SourceEntry> {
      for (const { canonical, visit } of copies)
        if (!settled.has(canonical) && !settled.has(visit.at)) yield* toFile(visit)
    },
  }
}

const MORE = 'pages (max_pages); the rest was not read'
const ENDLESS = 'addresses were not read, because it looks as if there were no end of them'
const NO_TEXT = 'holds no text; it may be one that only shows in a browser that runs its scripts'
