import pg from 'pg'
import type { ParsedStatements, Sending } from './postgres-statements.ts'

export interface Step {
  text: string
  values: readonly unknown[]
}

type Messages = pg.Connection & {
  parsedStatements: Record<string, string>
  parse(message: { text: string; name: string }): void
  bind(message: { statement: string; values: readonly unknown[] }): void
  execute(message: object): void
  describe(message: { type: 'P'; name: string }): void
  close(message: { type: 'S'; name: string }): void
}

/** Members of `pg.Query` that its types leave out. */
interface Handlers {
  prepare(connection: pg.Connection): void
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, connection: pg.Connection): void
}
const Base = pg.Query as unknown as new (
  config: object,
  callback: (error: Error | null, result: unknown) => void,
) => pg.Submittable & Handlers

/**
 * Statements that are sent together with steps that must come before them, for one round trip in all. All of them are
 * over, or none happened, when the server has answered: without a `begin` among them they are a transaction of their own,
 * which is what makes a setting for this transaction hold for the statements and no longer, behind a pooler, too. Each
 * sees what the ones before it did, and what others committed until it began.
 */
class QueryAfter extends Base {
  readonly #steps: (Step & Sending)[]
  readonly #earlier: (Step & Sending)[]
  readonly #outdated: string[]
  #open: number

  /** @param statements at least one; the results of all of them are kept */
  constructor(
    steps: (Step & Sending)[],
    statements: (Step & Sending)[],
    outdated: string[],
    callback: (error: Error | null, result: unknown) => void,
  ) {
    super({ ...statements.at(-1), queryMode: 'extended' }, callback)
    this.#steps = steps
    this.#earlier = statements.slice(0, -1)
    this.#outdated = outdated
    this.#open = steps.length
  }

  override prepare(connection: pg.Connection): void {
    const messages = connection as Messages
    for (const name of this.#outdated) {
      messages.close({ type: 'S', name })
      delete messages.parsedStatements[name]
    }
    for (const step of this.#steps) {
      begin(messages, step)
      messages.execute({})
    }
    for (const statement of this.#earlier) {
      begin(messages, statement)
      messages.describe({ type: 'P', name: '' })
      messages.execute({})
    }
    super.prepare(connection)
  }

  override handleDataRow(message: unknown): void {
    if (this.#open === 0) super.handleDataRow(message)
  }

  override handleCommandComplete(message: unknown, connection: pg.Connection): void {
    if (this.#open === 0) super.handleCommandComplete(message, connection)
    else this.#open--
  }
}

function begin(messages: Messages, { text, values, name, isParsed }: Step & Sending): void {
  if (!isParsed) messages.parse({ text, name })
  messages.bind({ statement: name, values: values.map(asText) })
}

const asText = (value: unknown): string | null => (value === null || value === undefined ? null : String(value))

/**
 * @param queries at least one
 * @param statements what the connection keeps parsed; undefined to have nothing kept
 * @returns the results of the queries, in their order
 */
export function queryAfter(
  client: pg.ClientBase,
  steps: Step[],
  queries: Step[],
  statements?: ParsedStatements,
): Promise<pg.QueryResult[]> {
  const sent = [...steps, ...queries].map((step) => ({ ...step, ...(statements?.send(step.text) ?? UNNAMED) }))
  const outdated = statements?.takeOutdated() ?? []
  return new Promise<pg.QueryResult[]>((resolve, reject) => {
    const done = (error: Error | null, result: unknown) => (error ? reject(error) : resolve([result].flat() as never))
    client.query(new QueryAfter(sent.slice(0, steps.length), sent.slice(steps.length), outdated, done))
  }).catch((error) => {
    // How far the server came is not known: what it was to parse may be there or not.
    for (const { text, isParsed } of sent) if (!isParsed) statements?.forget(text)
    // Its own stack ends at the socket.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw error
  })
}

const UNNAMED: Sending = { name: '', isParsed: false }
