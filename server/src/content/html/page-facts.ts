import { Parser } from 'htmlparser2'

/** Facts that a page states for programs that read whole sites. */
export interface PageFacts {
  /** Address under which the page wants to be known. */
  canonical?: string
  /** Whether it may be kept. */
  isIndexed: boolean
  /** Whether its links may be followed. */
  isFollowed: boolean
  /** Absolute addresses that it links to and that may be followed, each once, without a fragment. */
  links: string[]
}

const MOST_LINKS = 2_000

/** Reads directives such as `noindex, nofollow`, as `<meta name="robots">` and `X-Robots-Tag` hold them. */
export function readDirectives(text: string): Pick<PageFacts, 'isIndexed' | 'isFollowed'> {
  const words = text.toLowerCase().split(/[\s,]+/)
  const isNone = words.includes('none')
  return { isIndexed: !isNone && !words.includes('noindex'), isFollowed: !isNone && !words.includes('nofollow') }
}

/** @param address what links are relative to @param agent name of the reader, by which a page may address it alone */
export function readPageFacts(html: string, address: string, agent: string): PageFacts {
  const facts: PageFacts = { isIndexed: true, isFollowed: true, links: [] }
  const links = new Set<string>()
  let base = address
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const { href } = attributes
        const words = (attributes.rel ?? '').toLowerCase().split(/\s+/)
        if (name === 'base' && href) base = addressOf(href, address) ?? base
        else if (name === 'link' && href && words.includes('canonical')) facts.canonical ??= addressOf(href, base)
        else if (name === 'meta') readMeta(attributes)
        else if ((name === 'a' || name === 'area') && href && !words.includes('nofollow')) addLink(href)
      },
    },
    { decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true },
  )

  function addLink(href: string): void {
    const link = links.size < MOST_LINKS ? addressOf(href, base) : undefined
    if (link !== undefined) links.add(link)
  }

  function readMeta({ name = '', content = '', 'http-equiv': equivalent = '' }: Record<string, string>): void {
    if (['robots', agent].includes(name.trim().toLowerCase())) {
      const { isIndexed, isFollowed } = readDirectives(content)
      facts.isIndexed &&= isIndexed
      facts.isFollowed &&= isFollowed
    }
    if (equivalent.toLowerCase() !== 'refresh') return
    const target = /^\s*\d+\s*[;,]\s*url\s*=\s*["']?([^"']+)/i.exec(content)?.[1]
    if (target) addLink(target.trim())
  }

  parser.end(html)
  return { ...facts, links: [...links] }
}

function addressOf(href: string, base: string): string | undefined {
  const url = URL.parse(href.trim(), base)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  url.hash = ''
  return url.href
}
