import { domainToASCII } from 'node:url'

/** Whether a host, in lower case and without a dot at its end, is one of those meant. */
export type HostPatterns = ((host: string) => boolean) & {
  /** Set where a lone `*` names every host, and so none in particular. */
  readonly isAll?: boolean
}

const FORM = 'must be a list of hosts, for instance docs.example.com,*.example.org; * stands for every host'

/**
 * Reads `docs.example.com, *.example.org`: a name stands for itself, `*.` for all names below it, a lone `*` for all.
 * @throws Error in an operator's words
 */
export function parseHostPatterns(text: string): HostPatterns {
  const names = new Set<string>()
  const endings: string[] = []
  let isAll = false
  for (const entry of text.split(',').map((one) => one.trim().toLowerCase())) {
    if (entry === '') continue
    if (entry === '*') {
      isAll = true
      continue
    }
    const isBelow = entry.startsWith('*.')
    const name = isBelow ? entry.slice(2) : entry
    const host = domainToASCII(name)
    if (!/^[\p{L}\p{N}\p{M}._-]+$/u.test(name) || host === '') throw new Error(`${FORM}; not "${entry}"`)
    if (isBelow) endings.push(`.${host}`)
    else names.add(host)
  }
  const isMeant = (host: string) => isAll || names.has(host) || endings.some((ending) => host.endsWith(ending))
  return Object.assign(isMeant, { isAll })
}
