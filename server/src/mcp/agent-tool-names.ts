interface Named {
  id: string
  name: string
}

const LONGEST = 48
/** The end of an id is a counter: agents that were made one after the other differ in it. */
const SHORT_ID = 8

/**
 * The name of each agent as a tool, by its id: its own name in lower-case ASCII letters, digits and `_`. Where several
 * have the same, the oldest keeps it, and the others are distinguished by the end of their ids.
 */
export function toolNames(agents: readonly Named[]): Map<string, string> {
  const taken = new Set<string>()
  const names = new Map<string, string>()
  // Ids sort by creation time.
  for (const { id, name } of [...agents].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const slug = slugOf(name)
    const free = [slug, `${slug || 'agent'}_${id.slice(-SHORT_ID)}`].find((one) => one !== '' && !taken.has(one))
    const chosen = free ?? `${slug || 'agent'}_${id}`
    taken.add(chosen)
    names.set(id, chosen)
  }
  return names
}

/**
 * The agent behind a tool's name. A name with the end of an id finds its agent for as long as that lives, even if it
 * has another name by now or no longer shares it.
 */
export function findNamed<T extends Named>(agents: readonly T[], toolName: string): T | undefined {
  const names = toolNames(agents)
  const ending = /_([0-9a-f]{8,24})$/.exec(toolName)?.[1]
  return (
    agents.find(({ id }) => names.get(id) === toolName) ??
    (ending === undefined ? undefined : agents.find(({ id }) => id.endsWith(ending)))
  )
}

/** Lower-case ASCII; empty for a name of other letters. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, LONGEST)
    .replace(/^_+|_+$/g, '')
