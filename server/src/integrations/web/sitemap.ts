import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { Parser } from 'htmlparser2'
import { readAll } from './read-all.ts'
import { follow, MOST_REDIRECTS, type SiteClient, SiteFailure } from './site-client.ts'

/** The protocol's limit, unpacked. */
const MOST_BYTES = 50 * 1024 * 1024
const MOST_SITEMAPS = 1_000
const DEEPEST_INDEX = 3
const PIECE = 256 * 1024

const unzip = promisify(gunzip)

interface Sitemap {
  pages: string[]
  /** Other sitemaps that it lists. */
  sitemaps: string[]
}

/** Reads a sitemap, or an index of sitemaps; one that is plain text has an address a line. */
export async function parseSitemap(text: string): Promise<Sitemap> {
  const found: Sitemap = { pages: [], sitemaps: [] }
  if (!/^\s*</.test(text)) {
    found.pages = text.split(/\r?\n/).flatMap((line) => (/^https?:\/\//i.test(line.trim()) ? [line.trim()] : []))
    return found
  }
  let parent = ''
  let isLocation = false
  let location = ''
  const parser = new Parser(
    {
      onopentag(name) {
        if (name === 'url' || name === 'sitemap') parent = name
        // Names with a prefix, such as image:loc, are of something else.
        isLocation = name === 'loc'
        if (isLocation) location = ''
      },
      ontext(piece) {
        if (isLocation && location.length < 4096) location += piece
      },
      onclosetag(name) {
        if (name === 'loc' && parent === 'url') found.pages.push(location.trim())
        if (name === 'loc' && parent === 'sitemap') found.sitemaps.push(location.trim())
        isLocation = false
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  for (let from = 0; from < text.length; from += PIECE) {
    parser.write(text.slice(from, from + PIECE))
    await yieldToEventLoop()
  }
  parser.end()
  return found
}

export interface FoundInSitemaps {
  pages: Set<string>
  /** Sitemaps that could not be read: pages that are in them are not known. */
  failures: { address: string; reason: string; isOutage: boolean }[]
}

/** Reads sitemaps and those that they list. @param mostPages pages that are taken at most */
export async function readSitemaps(
  client: SiteClient,
  addresses: readonly string[],
  { mostPages, signal }: { mostPages: number; signal: AbortSignal },
): Promise<FoundInSitemaps> {
  const found: FoundInSitemaps = { pages: new Set(), failures: [] }
  const seen = new Set(addresses)
  const open = addresses.map((address) => ({ address, depth: 0 }))
  for (let at = open.shift(); at; at = open.shift()) {
    try {
      const { pages, sitemaps } = await parseSitemap(await readSitemap(client, at.address, signal))
      for (const page of pages) if (found.pages.size < mostPages) found.pages.add(page)
      for (const address of sitemaps) {
        if (seen.has(address) || seen.size >= MOST_SITEMAPS || at.depth >= DEEPEST_INDEX) continue
        if (!URL.canParse(address)) continue
        seen.add(address)
        open.push({ address, depth: at.depth + 1 })
      }
    } catch (error) {
      if (!(error instanceof SiteFailure)) throw error
      found.failures.push({ address: at.address, reason: error.message, isOutage: error.isOutage })
    }
  }
  return found
}

async function readSitemap(client: SiteClient, address: string, signal: AbortSignal): Promise<string> {
  const found = await follow(client, address, signal)
  if (!found) throw new SiteFailure(`the sitemap redirects more than ${MOST_REDIRECTS} times`, false)
  const { at, reply } = found
  if (reply.status !== 200) {
    reply.close()
    throw new SiteFailure(`the sitemap cannot be read (status ${reply.status})`, reply.status >= 500)
  }
  const { bytes, isCut } = await readAll(reply, at, signal, MOST_BYTES)
  if (isCut) throw new SiteFailure('the sitemap is larger than 50 MB', false)
  return (await unpacked(bytes)).toString('utf8')
}

/** Sitemaps whose file is packed, whatever the reply says of it. */
async function unpacked(bytes: Buffer): Promise<Buffer> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return await unzip(bytes, { maxOutputLength: MOST_BYTES })
  } catch (error) {
    throw new SiteFailure('the sitemap could not be unpacked', false, { cause: error })
  }
}
