import { hash } from 'node:crypto'
import type pg from 'pg'
import { createLruCache } from '../../lru-cache.ts'

/** Statements that one connection keeps parsed: each may hold some 50 KB of its server process. */
const KEPT = 150
/** Texts kept as seen once. Most of those that never come again are long lists of ids. */
const SEEN = 300

/** How a statement is sent: `name` is empty for one that is not kept. */
export interface Sending {
  name: string
  isParsed: boolean
}

/**
 * Statements that a connection has parsed and keeps under a name, so that PostgreSQL neither parses nor plans them
 * again: four fifths of what a short statement costs. A text gets a name at its second use; of those kept the one that
 * was not used for longest makes room. A name stands for one text whoever gives it: behind a pooler the connection may
 * be one for which another client gave it, and a name of ours must never run a statement of theirs.
 */
export class ParsedStatements {
  /** Names by text, least recently used first. */
  readonly #names = new Map<string, string>()
  readonly #seen = createLruCache<true>(SEEN)
  #outdated: string[] = []
  /** Part of the names: what is parsed again has another one. */
  #forgotten = 0

  send(text: string): Sending {
    const name = this.#names.get(text)
    if (name !== undefined) {
      this.#names.delete(text)
      this.#names.set(text, name)
      return { name, isParsed: true }
    }
    if (!this.#seen.delete(text)) {
      this.#seen.set(text, true)
      return { name: '', isParsed: false }
    }
    if (this.#names.size === KEPT) this.forget(first(this.#names.keys()))
    const given = `docent_${hash('sha256', text, 'base64url').slice(0, 32)}_${this.#forgotten}`
    this.#names.set(text, given)
    return { name: given, isParsed: false }
  }

  /** The text is parsed again, under another name, when it comes again. */
  forget(text: string): void {
    const name = this.#names.get(text)
    if (name === undefined) return
    this.#names.delete(text)
    this.#forgotten++
    this.#seen.set(text, true)
    this.#outdated.push(name)
  }

  forgetAll(): void {
    for (const text of [...this.#names.keys()]) this.forget(text)
  }

  /** Names that the server may forget, each given once. */
  takeOutdated(): string[] {
    const outdated = this.#outdated
    if (outdated.length > 0) this.#outdated = []
    return outdated
  }
}

const first = (values: Iterable<string>): string => values[Symbol.iterator]().next().value as string

const ofClients = new WeakMap<pg.ClientBase, ParsedStatements>()

export function parsedStatementsOf(client: pg.ClientBase): ParsedStatements {
  let statements = ofClients.get(client)
  if (!statements) ofClients.set(client, (statements = new ParsedStatements()))
  return statements
}

/**
 * Whether a statement failed because its name means something else to the server than to the client: a pooler gave the
 * transaction another connection (26000 invalid_sql_statement_name, 42P05 duplicate_prepared_statement).
 */
export const isNameUnknown = (error: unknown): boolean => UNKNOWN.has((error as { code?: string }).code ?? '')
const UNKNOWN = new Set(['26000', '42P05'])

/** Whether a statement failed because a table has other columns than when it was parsed. */
export const isPlanOutdated = (error: unknown): boolean => {
  const { code, message } = error as { code?: string; message?: string }
  return code === '0A000' && /cached plan must not change result type/.test(message ?? '')
}
