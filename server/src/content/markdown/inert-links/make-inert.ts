import { InertLinks } from './inert-links.ts'
import type { IsNamed } from './named-hosts.ts'

/** Makes the links of a whole text inert, as `InertLinks` does piece by piece. */
export function makeInert(text: string, isNamed: IsNamed): string {
  const links = new InertLinks(isNamed)
  return links.push(text) + links.flush()
}
