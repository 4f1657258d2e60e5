import { createFileFilter } from '../file-filter.ts'
import type { WebSourceConfig } from './web-kind.ts'

const LONGEST = 2048
const MOST_SEGMENTS = 20
/** A path that names one folder more often goes round in circles. */
const MOST_REPEATED = 3
const TRACKING = /^(?:utm_\w+|gclid|fbclid|msclkid|mc_[ce]id|phpsessid|jsessionid|sessionid|sid)$/i
/** Files that hold nothing to read. */
const ASSETS =
  /\.(?:avif|bmp|gif|ico|jpe?g|png|svg|webp|css|js|mjs|map|json|xml|rss|atom|woff2?|ttf|eot|mp[34]|m4[av]|webm|og[gv]|wav|avi|mov|zip|gz|tgz|bz2|7z|rar|exe|dmg|msi|iso|apk|deb|rpm)$/i
const DOCUMENTS = /\.(?:pdf|docx?|xlsx?|pptx?|od[tsp]|rtf|epub|csv)$/i

/** Address in the form that all addresses of a page share: without fragment, tracking and numbers of sessions. @returns undefined for none */
export function normalAddress(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  url.hash = ''
  url.username = ''
  url.password = ''
  url.pathname = url.pathname.replace(/;jsessionid=[^/;]*/gi, '')
  const tracked = [...url.searchParams.keys()].filter((name) => TRACKING.test(name))
  for (const name of tracked) url.searchParams.delete(name)
  return url.href.length <= LONGEST ? url.href : undefined
}

/** Names of the path of an address, decoded. */
export const pathOf = (address: string): string[] =>
  new URL(address).pathname
    .split('/')
    .filter(Boolean)
    .map((part) => {
      try {
        return decodeURIComponent(part)
      } catch {
        return part
      }
    })

export const isDocumentAddress = (address: string): boolean => DOCUMENTS.test(new URL(address).pathname)

/** Decides which addresses belong to a site. @param start where it begins, after redirects */
export function createSiteScope(config: WebSourceConfig, start: string) {
  const { origin, pathname } = new URL(start)
  const prefix = config.path_prefix ?? pathname.slice(0, pathname.lastIndexOf('/') + 1)
  const filter = createFileFilter(config)
  return {
    origin,
    /** Whether it may be read: of this site, below the prefix, not excluded, no asset. */
    has(address: string): boolean {
      const url = new URL(address)
      if (url.origin !== origin || !url.pathname.startsWith(prefix)) return false
      if (ASSETS.test(url.pathname) || (!config.documents && DOCUMENTS.test(url.pathname))) return false
      return filter.takesFolder(pathOf(address))
    },
    /** Whether it becomes a file; a page that does not may still lead to others. */
    takes: (address: string) => filter.takesFile(pathOf(address)),
    /** Whether it looks like one of endlessly many that programs make. */
    isEndless(address: string): boolean {
      const parts = pathOf(address)
      if (parts.length > MOST_SEGMENTS) return true
      const counts = new Map<string, number>()
      for (const part of parts) counts.set(part, (counts.get(part) ?? 0) + 1)
      return [...counts.values()].some((count) => count > MOST_REPEATED)
    },
  }
}

export type SiteScope = ReturnType<typeof createSiteScope>

/** Whether two hosts are one site: `www.` does not count. */
export const isSameSite = (one: string, other: string): boolean => bareHost(one) === bareHost(other)

const bareHost = (address: string) => new URL(address).host.replace(/^www\./, '').replace(/:(?:80|443)$/, '')
