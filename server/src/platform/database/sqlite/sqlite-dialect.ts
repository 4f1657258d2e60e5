import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  type SelectModifierNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { isStorageFull } from '../../host/disk-room.ts'
import { createLruCache } from '../../lru-cache.ts'
import { isBusy } from '../errors.ts'
import type { DirectAdapter } from '../statements/prepared.ts'
import type { RowWatch, WatchableConnection } from './row-watch.ts'

const BUSY_PATIENCE_MS = 15_000

/**
 * Kysely on `node:sqlite`: one connection, prepared statements kept, and a wait for another process's lock that
 * leaves the event loop free.
 * @param onFull called for each statement that found no room on the disk
 */
export function sqliteDialect(open: () => DatabaseSync, onFull?: () => void): Dialect {
  const driver = new NodeSqliteDriver(open, onFull)
  return {
    createAdapter: () => new NodeSqliteAdapter(driver),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new UnlockingCompiler(),
  }
}

class NodeSqliteAdapter extends SqliteAdapter implements DirectAdapter {
  readonly #driver: NodeSqliteDriver

  constructor(driver: NodeSqliteDriver) {
    super()
    this.#driver = driver
  }

  override get supportsTransactionalDdl() {
    return true
  }

  /** Statements inside and outside of transactions share it. */
  get onlyConnection() {
    return this.#driver.connection
  }
}

/** A transaction here has the whole database to itself: what asks for locks on rows (`forUpdate()`) has them already. */
class UnlockingCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (!node.modifier || !LOCKS.has(node.modifier)) super.visitSelectModifier(node)
  }
}

const LOCKS = new Set(['ForUpdate', 'ForNoKeyUpdate', 'ForShare', 'ForKeyShare', 'SkipLocked', 'NoWait'])

class NodeSqliteDriver implements Driver {
  readonly #open: () => DatabaseSync
  readonly #onFull: (() => void) | undefined
  #database: DatabaseSync | undefined
  #connection: NodeSqliteConnection | undefined

  constructor(open: () => DatabaseSync, onFull?: () => void) {
    this.#open = open
    this.#onFull = onFull
  }

  async init() {
    this.#database = this.#open()
    this.#connection = new NodeSqliteConnection(this.#database, this.#onFull)
  }

  get connection() {
    return this.#connection
  }

  async acquireConnection() {
    return this.#connection!
  }

  async beginTransaction(connection: DatabaseConnection) {
    // `immediate`: a transaction that starts by reading could otherwise fail when it comes to write.
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  async commitTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(CompiledQuery.raw('commit'))
  }

  async rollbackTransaction(connection: DatabaseConnection) {
    if (this.#database!.isTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'))
  }

  async releaseConnection() {}

  async destroy() {
    this.#database?.close()
  }
}

type RowOf = (values: SQLOutputValue[]) => unknown

interface Prepared {
  statement: StatementSync
  /** Undefined for what gives no rows. */
  rowOf?: RowOf
}

/** Changes what other statements give. */
const CHANGES_SCHEMA = /^\s*(?:alter|create|drop)\b/i

/** Row makers by the names of the columns: as many as the code has column lists. */
const rowMakers = new Map<string, RowOf>()

/**
 * The rows that `node:sqlite` makes are dictionaries: a page of them takes nearly twice as long, made and read, as
 * arrays that become objects of one shape. V8 makes those quickly where their properties are written out.
 */
function rowsOf(statement: StatementSync): RowOf | undefined {
  const names = statement.columns().map(({ name }) => JSON.stringify(name))
  if (names.length === 0) return undefined
  statement.setReturnArrays(true)
  const properties = names.map((name, index) => `${name}: values[${index}]`).join(', ')
  let rowOf = rowMakers.get(properties)
  if (!rowOf) {
    rowOf = new Function('values', `return { ${properties} }`) as RowOf
    rowMakers.set(properties, rowOf)
  }
  return rowOf
}

/** Undoes what was written: of a transaction, or since a savepoint. */
const UNDOES = /^\s*rollback\b/i

class NodeSqliteConnection implements DatabaseConnection, WatchableConnection {
  readonly #database: DatabaseSync
  readonly #prepared = createLruCache<Prepared>(500)

  readonly #onFull: (() => void) | undefined
  readonly #watches: RowWatch[] = []
  #version: StatementSync | undefined

  constructor(database: DatabaseSync, onFull?: () => void) {
    this.#database = database
    this.#onFull = onFull
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const deadline = Date.now() + BUSY_PATIENCE_MS
    for (;;) {
      try {
        return this.#execute<R>(query)
      } catch (error) {
        this.#undone()
        if (isStorageFull(error)) this.#onFull?.()
        if (!isBusy(error) || this.#database.isTransaction || Date.now() > deadline) throw error
        await delay(5)
      }
    }
  }

  watch(watch: RowWatch): void {
    this.#watches.push(watch)
    for (const [index, { table, on, when, columns, tell }] of watch.changes.entries()) {
      const name = `${watch.name}_${index}`
      this.#database.function(name, { varargs: true }, (...values) => {
        tell(...(values as never[]))
        return null
      })
      const condition = when ? `when ${when}` : ''
      // Temporary: it belongs to this connection and is not in the file.
      this.#database.exec(
        `create temp trigger ${name} after ${on} on main.${table} ${condition} begin select ${name}(${columns}); end`,
      )
    }
  }

  versionOfOthers(): number {
    if (!this.#version) {
      this.#version = this.#database.prepare('pragma data_version')
      this.#version.setReturnArrays(true)
    }
    const [version] = this.#version.get() as unknown as [number]
    return version
  }

  /** A statement that fails is undone, and may take its transaction with it. */
  #undone(): void {
    for (const watch of this.#watches) watch.onUndone()
  }

  #execute<R>({ sql, parameters }: CompiledQuery): QueryResult<R> {
    const { statement, rowOf } = this.#prepare(sql)
    const values = parameters as SQLInputValue[]
    if (rowOf) return { rows: (statement.all(...values) as unknown as SQLOutputValue[][]).map(rowOf) as R[] }
    const { changes, lastInsertRowid } = statement.run(...values)
    if (UNDOES.test(sql)) this.#undone()
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  #prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql)
    if (known) return known
    const statement = this.#database.prepare(sql)
    const prepared = { statement, rowOf: rowsOf(statement) }
    if (CHANGES_SCHEMA.test(sql)) {
      this.#prepared.clear()
      return prepared
    }
    this.#prepared.set(sql, prepared)
    return prepared
  }

  async *streamQuery<R>({ sql, parameters }: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    const statement = this.#database.prepare(sql)
    const rowOf = rowsOf(statement)!
    for (const values of statement.iterate(...(parameters as SQLInputValue[])))
      yield { rows: [rowOf(values as unknown as SQLOutputValue[]) as R] }
  }
}
