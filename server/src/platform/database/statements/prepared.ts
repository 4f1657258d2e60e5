import type { Compilable, CompiledQuery, DatabaseConnection, Kysely, QueryResult } from 'kysely'

type Values = Record<string, unknown>

/** Stands for a value that is known only when the statement runs. */
class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/**
 * Direct access to a database with one connection, which takes statements at any time: the way through Kysely costs
 * more.
 */
export interface DirectAdapter {
  /** Undefined until the first statement that goes through Kysely. */
  readonly onlyConnection: DatabaseConnection | undefined
}

/**
 * A statement that Kysely builds and compiles once instead of at every call, for the few on the hottest paths: an
 * insert of 24 columns costs more to compile than to run.
 *
 * `build` gets an object whose every property stands for the value of that name; it must not look at them, so the
 * statement's shape cannot depend on the values. `bind` gives the statement for `together`.
 */
export function prepared<S, V extends object, O>(build: (db: Kysely<S>, values: V) => Compilable<O>) {
  const places = new Proxy({}, { get: (_, name: string) => new Placeholder(name) }) as V
  const compiled = new WeakMap<object, CompiledQuery<O>>()

  function bind(db: Kysely<S>, values: V): CompiledQuery<O> {
    // Connections and transactions of one database share the adapter, hence the SQL.
    const { adapter } = db.getExecutor()
    let query = compiled.get(adapter)
    if (!query) {
      query = build(db, places).compile()
      compiled.set(adapter, query)
    }
    const parameters = query.parameters.map((value) =>
      value instanceof Placeholder ? (values as Values)[value.name] : value,
    )
    return { ...query, parameters }
  }

  function run(db: Kysely<S>, values: V): Promise<QueryResult<O>> {
    const query = bind(db, values)
    const direct = (db.getExecutor().adapter as Partial<DirectAdapter>).onlyConnection
    return direct ? direct.executeQuery(query) : db.executeQuery(query)
  }

  return Object.assign(run, { bind })
}
