import robotsParser from 'robots-parser'
import { readAll } from './read-all.ts'
import { AGENT, follow, type SiteClient, SiteFailure } from './site-client.ts'

// The types of the package describe an ES module, which it is not.
const parse = robotsParser as unknown as typeof robotsParser.default

/** Limit of a robots.txt, as RFC 9309 has it: the rest is not read. */
const MOST_BYTES = 512 * 1024

export interface Robots {
  allows(address: string): boolean
  crawlDelaySeconds: number | undefined
  sitemaps: string[]
}

/**
 * Reads what a site says to programs. Without a `robots.txt` all is allowed; while it cannot be told whether there is
 * one, nothing is. @throws SiteFailure
 */
export async function readRobots(client: SiteClient, origin: string, signal: AbortSignal): Promise<Robots> {
  const address = `${origin}/robots.txt`
  const found = await follow(client, address, signal)
  if (!found) return toRobots(address, '')
  const { at, reply } = found
  if (reply.status === 429 || reply.status >= 500) {
    reply.close()
    throw new SiteFailure(`its robots.txt cannot be read (status ${reply.status})`, true)
  }
  if (reply.status >= 400) {
    reply.close()
    return toRobots(address, '')
  }
  const { bytes } = await readAll(reply, at, signal, MOST_BYTES)
  return toRobots(address, bytes.toString('utf8'))
}

function toRobots(address: string, text: string): Robots {
  const rules = parse(address, text)
  return {
    // Undefined is for addresses of other hosts, of which these rules say nothing.
    allows: (url) => rules.isAllowed(url, AGENT) !== false,
    crawlDelaySeconds: rules.getCrawlDelay(AGENT),
    sitemaps: rules.getSitemaps().filter((url) => URL.canParse(url)),
  }
}
