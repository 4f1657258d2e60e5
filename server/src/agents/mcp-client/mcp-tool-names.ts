import { hash } from 'node:crypto'
import type { StoredMcpServer } from './mcp.schemas.ts'

/** Longest name that models accept. */
const LONGEST = 64

/**
 * Names of a server's tools for agents: `SERVER__TOOL`, by the server's own name of the tool. A name that models would
 * not take, or that would stand for two, ends in a piece of its hash.
 */
export function toolNamesOf(serverName: string, tools: readonly { name: string }[]): Map<string, string> {
  const names = new Map<string, string>()
  const taken = new Set<string>()
  // Valid names come first, so that no rewritten name takes theirs.
  const sorted = [...tools].sort((a, b) => Number(isPlain(b.name)) - Number(isPlain(a.name)))
  for (const { name } of sorted) {
    const plain = `${serverName}__${name.replace(/[^A-Za-z0-9_-]/g, '_')}`
    const digest = hash('sha256', name, 'hex').slice(0, 8)
    const isUsable = plain.length <= LONGEST && !taken.has(plain)
    const chosen = isUsable ? plain : `${plain.slice(0, LONGEST - digest.length - 1)}_${digest}`
    taken.add(chosen)
    names.set(name, chosen)
  }
  return names
}

const isPlain = (name: string): boolean => /^[A-Za-z0-9_-]+$/.test(name)

export const isSwitchedOn = ({ tools }: StoredMcpServer, toolName: string): boolean =>
  tools === null || tools.includes(toolName)
