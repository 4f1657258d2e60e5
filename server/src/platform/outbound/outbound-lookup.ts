import type { LookupAddress } from 'node:dns'
import { lookup, Resolver } from 'node:dns/promises'
import pLimit from 'p-limit'

/** All addresses of a name. */
export type LookUp = (host: string) => Promise<LookupAddress[]>

const QUERY = { timeout: 2_000, tries: 2 }
const SYSTEM_LOOK_UPS = 2

export interface LookUpOptions {
  /** Asks name servers; takes no thread. */
  query?: LookUp
  /** Asks the operating system, which knows its hosts file and search domains, too. */
  system?: LookUp
}

/**
 * Asks the name servers first, and the system only where they know nothing. A look-up by the system holds one of Node's
 * four threads, which files and the database need, for as long as a name server cares to be silent: so at most two at
 * once, and none for a name whose server is.
 */
export function createLookUp({ query = queryServers, system = askSystem }: LookUpOptions = {}): LookUp {
  const limit = pLimit(SYSTEM_LOOK_UPS)
  const askSystemLimited: LookUp = (host) => limit(() => system(host))
  return async (host) => {
    // Names without a dot are local ones.
    if (!host.includes('.')) return askSystemLimited(host)
    try {
      return await query(host)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ETIMEOUT') throw error
      return askSystemLimited(host)
    }
  }
}

async function queryServers(host: string): Promise<LookupAddress[]> {
  const resolver = new Resolver(QUERY)
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const addresses = [
    ...addressesIn(ipv4).map((address) => ({ address, family: 4 })),
    ...addressesIn(ipv6).map((address) => ({ address, family: 6 })),
  ]
  if (addresses.length === 0 && ipv4.status === 'rejected') throw ipv4.reason
  return addresses
}

const addressesIn = (result: PromiseSettledResult<string[]>): string[] =>
  result.status === 'fulfilled' ? result.value : []

const askSystem: LookUp = (host) => lookup(host, { all: true })
