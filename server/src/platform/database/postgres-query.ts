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
  close(message: { type: 'S'; name: string }): void
}

/** What `pg.Query` has and its types leave out. */
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
 * A statement that is sent together with steps that must come before it, for one round trip in all. All of them are
 * over, or none happened, when the server has answered: without a `begin` among them they are a transaction of their own,
 * which is what makes a setting for this transaction hold for the statement and no longer, behind a pooler, too.
 */
class QueryAfter extends Base {
  readonly #steps: (Step & Sending)[]
  readonly #outdated: string[]
  #open: number

  constructor(
    steps: (Step & Sending)[],
    statement: Step & Sending,
    outdated: string[],
    callback: (error: Error | null, result: unknown) => void,
  ) {
    super({ ...statement, queryMode: 'extended' }, callback)
    this.#steps = steps
    this.#outdated = outdated
    this.#open = steps.length
  }

  override prepare(connection: pg.Connection): void {
    const messages = connection as Messages
    for (const name of this.#outdated) {
      messages.close({ type: 'S', name })
      delete messages.parsedStatements[name]
    }
    for (const { text, values, name, isParsed } of this.#steps) {
      if (!isParsed) messages.parse({ text, name })
      messages.bind({ statement: name, values })
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

/** @param statements what the connection keeps parsed; undefined to have nothing kept */
export function queryAfter(
  client: pg.ClientBase,
  steps: Step[],
  statement: Step,
  statements?: ParsedStatements,
): Promise<pg.QueryResult> {
  const sent = [...steps, statement].map((step) => ({ ...step, ...(statements?.send(step.text) ?? UNNAMED) }))
  const last = sent.pop() as Step & Sending
  const outdated = statements?.takeOutdated() ?? []
  return new Promise<pg.QueryResult>((resolve, reject) => {
    client.query(
      new QueryAfter(sent, last, outdated, (error, result) =>
        error ? reject(error) : resolve(result as pg.QueryResult),
      ),
    )
  }).catch((error) => {
    // How far the server came is not known: what it was to parse may be there or not.
    for (const { text, isParsed } of [...sent, last]) if (!isParsed) statements?.forget(text)
    // Its own stack ends at the socket.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw error
  })
}

const UNNAMED: Sending = { name: '', isParsed: false }
