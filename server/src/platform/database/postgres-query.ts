import pg from 'pg'

export interface Step {
  text: string
  values: readonly unknown[]
}

type Messages = pg.Connection & {
  parse(message: { text: string }): void
  bind(message: { values: readonly unknown[] }): void
  execute(message: object): void
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
  readonly #steps: Step[]
  #open: number

  constructor(steps: Step[], statement: Step, callback: (error: Error | null, result: unknown) => void) {
    super({ ...statement, queryMode: 'extended' }, callback)
    this.#steps = steps
    this.#open = steps.length
  }

  override prepare(connection: pg.Connection): void {
    const messages = connection as Messages
    for (const { text, values } of this.#steps) {
      messages.parse({ text })
      messages.bind({ values })
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

export function queryAfter(client: pg.ClientBase, steps: Step[], statement: Step): Promise<pg.QueryResult> {
  return new Promise<pg.QueryResult>((resolve, reject) => {
    client.query(
      new QueryAfter(steps, statement, (error, result) => (error ? reject(error) : resolve(result as pg.QueryResult))),
    )
  }).catch((error) => {
    // Its own stack ends at the socket.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw error
  })
}
