import type { Location } from '../read/parsed-document.ts'

interface Heading {
  level: number
  text: string
  location: Location
  used: boolean
}

/** A heading that nothing stood below, with the headings above it. */
export interface UnusedHeading {
  text: string
  location: Location
  path: string[]
}

const MAX_TITLE = 200

/**
 * The headings that are over the place where a document is being read. A document that begins with a heading which
 * another one of its level follows at once has its title there: it is over the whole.
 */
export function createHeadingPath() {
  const open: Heading[] = []
  /** How much has been read: nothing, one heading, or more. */
  let seen: 'nothing' | 'title' | 'more' = 'nothing'

  function close(level: number): UnusedHeading[] {
    const unused: UnusedHeading[] = []
    while (open.length > 0 && open.at(-1)!.level >= level) {
      const heading = open.pop()!
      if (heading.used) continue
      unused.push({ text: heading.text, location: heading.location, path: open.map(title) })
      // Its own chunk is below the headings above it.
      for (const above of open) above.used = true
    }
    return unused
  }

  return {
    /** Opens a heading; gives those that it closes and that had no text. */
    enter(level: number, text: string, location: Location): UnusedHeading[] {
      if (seen === 'title' && open[0]!.level === level) open[0]!.level = 0
      seen = seen === 'nothing' ? 'title' : 'more'
      const unused = close(level)
      open.push({ level, text, location, used: false })
      return unused
    },
    /** Titles from the outermost in, for a chunk that is here. */
    use(): string[] {
      seen = 'more'
      for (const heading of open) heading.used = true
      return open.map(title)
    },
    clear(): UnusedHeading[] {
      seen = 'nothing'
      return close(Number.NEGATIVE_INFINITY)
    },
  }
}

function title(heading: Heading): string {
  return heading.text.length > MAX_TITLE ? `${heading.text.slice(0, MAX_TITLE - 1).trimEnd()}…` : heading.text
}
