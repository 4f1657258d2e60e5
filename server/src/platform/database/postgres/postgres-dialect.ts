import {
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import type pg from 'pg'
import { CommitUnansweredError } from '../away-errors.ts'
import { untilThere } from '../patience.ts'
import type { TogetherOptions } from '../statements/together.ts'
import { type ScopedQuery, ScopingCompiler } from './postgres-compiler.ts'
import { failed } from './postgres-errors.ts'
import { queryAfter, type Step } from './postgres-query.ts'
import { isNameUnknown, isPlanOutdated, parsedStatementsOf } from './postgres-statements.ts'
import { ALL_ORGANIZATIONS, ORGANIZATION_SETTING } from './row-security.ts'

/**
 * Kysely on a pool of `pg`. `begin` travels with the first statement of a transaction, and so does the organization
 * that a statement names, so both cost no round trip.
 */
export function postgresDialect(pool: PoolOfConnections): Dialect {
  return {
    createAdapter: () => new LockedAdapter(),
    createDriver: () => new PoolDriver(pool),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new ScopingCompiler(),
  }
}

/** Part of a pool that is needed. */
type PoolOfConnections = Pick<pg.Pool, 'connect' | 'end'>

/** `migrate` takes its own lock: one of a transaction, because a pooler may give each transaction another session. */
class LockedAdapter extends PostgresAdapter {
  override async acquireMigrationLock() {}
  override async releaseMigrationLock() {}
}

/** Whether statements are kept parsed, until a pooler shows that it does not stand that. */
interface Keeping {
  isOn: boolean
}

class PoolDriver implements Driver {
  readonly #pool: PoolOfConnections
  readonly #connect: () => Promise<pg.PoolClient>
  readonly #keeping: Keeping = { isOn: true }

  constructor(pool: PoolOfConnections) {
    this.#pool = pool
    this.#connect = () => pool.connect().catch(failed)
  }

  async init() {}

  async acquireConnection() {
    return new PoolConnection(await untilThere(this.#connect), this.#connect, this.#keeping)
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings) {
    if (settings.isolationLevel || settings.accessMode) throw new Error('transactions are read committed')
    ;(connection as PoolConnection).begin()
  }

  async commitTransaction(connection: DatabaseConnection) {
    await (connection as PoolConnection).commit()
  }

  async rollbackTransaction(connection: DatabaseConnection) {
    await (connection as PoolConnection).rollback()
  }

  async releaseConnection(connection: DatabaseConnection) {
    ;(connection as PoolConnection).release()
  }

  async destroy() {
    await this.#pool.end()
  }
}

class PoolConnection implements DatabaseConnection {
  readonly #connect: () => Promise<pg.PoolClient>
  readonly #keeping: Keeping
  #client: pg.PoolClient
  #isReleased = false
  #transaction: 'none' | 'asked for' | 'open' = 'none'
  /** The organization set in the open transaction. */
  #organization = ''
  #isBroken = false

  constructor(client: pg.PoolClient, connect: () => Promise<pg.PoolClient>, keeping: Keeping) {
    this.#client = client
    this.#connect = connect
    this.#keeping = keeping
  }

  async executeQuery<R>(query: ScopedQuery): Promise<QueryResult<R>> {
    const steps: Step[] = []
    const isFirst = this.#transaction !== 'open'
    if (this.#transaction === 'asked for') steps.push({ text: 'begin', values: [] })
    const organization = organizationOf(query)
    if (organization !== this.#organization) steps.push(settingOf(organization))
    if (this.#transaction !== 'none') {
      this.#transaction = 'open'
      this.#organization = organization
    }
    const send = () => this.#send(steps, [statementOf(query)], isFirst).catch(failed)
    const onlyReads = this.#transaction === 'none' && query.query.kind === 'SelectQueryNode'
    const [result] = await (onlyReads ? this.#untilRead(send) : send())
    return resultOf<R>(result!)
  }

  /**
   * Sends statements of one organization at once: in the transaction that is open, or as one of their own in one trip,
   * which has no `begin` and no `commit`.
   */
  async executeTogether(
    queries: ScopedQuery[],
    { isBatch = false }: TogetherOptions = {},
  ): Promise<QueryResult<unknown>[]> {
    const [organization, ...others] = new Set(queries.map(organizationOf))
    if (others.length > 0) throw new Error('statements of several organizations are not sent together')
    const setting = settingOf(organization!)
    const steps = [isBatch ? { ...setting, text: `${setting.text}, ${OF_BATCHES}` } : setting]
    const isAlone = this.#transaction === 'none'
    const isFirst = this.#transaction !== 'open'
    if (this.#transaction === 'asked for') steps.unshift({ text: 'begin', values: [] })
    if (!isAlone) {
      this.#transaction = 'open'
      this.#organization = organization!
    }
    const sent = this.#send(steps, queries.map(statementOf), isFirst)
    const results = await sent.catch((error) => (isAlone ? this.#uncertain(error) : failed(error)))
    return results.map(resultOf<unknown>)
  }

  /**
   * A statement that only its name kept from running is sent again without one, if nothing ran before it in its
   * transaction. Otherwise that is over, and may be run again as a whole (`isBusy`).
   */
  async #send(steps: Step[], queries: Step[], isFirst: boolean): Promise<pg.QueryResult[]> {
    const statements = parsedStatementsOf(this.#client)
    try {
      return await queryAfter(this.#client, steps, queries, this.#keeping.isOn ? statements : undefined)
    } catch (error) {
      if (isNameUnknown(error)) this.#keeping.isOn = false
      else if (isPlanOutdated(error)) statements.forgetAll()
      else throw error
      if (!isFirst) throw error
      if (this.#transaction === 'open') await this.#client.query('rollback')
      return queryAfter(this.#client, steps, queries)
    }
  }

  /** Reads again on another connection if this one was lost and the caller is patient. */
  #untilRead(send: () => Promise<pg.QueryResult[]>): Promise<pg.QueryResult[]> {
    let isFirst = true
    return untilThere(async () => {
      if (isFirst) {
        isFirst = false
        return send()
      }
      // First one goes, then one comes: as long as all of a pool's held on to lost ones, there would be none to get.
      this.#isBroken = true
      this.release()
      this.#client = await this.#connect()
      this.#isReleased = false
      this.#isBroken = false
      return send()
    })
  }

  begin() {
    this.#transaction = 'asked for'
  }

  async commit() {
    const wasOpen = this.#end()
    if (!wasOpen) return
    const { command } = await this.#client.query('commit').catch((error) => this.#uncertain(error))
    if (command === 'ROLLBACK') throw new Error('a statement of this transaction failed, so nothing of it is stored')
  }

  /** Throws why what was to be committed is not, or that nobody knows. */
  #uncertain(error: Error & { severity?: string }): never {
    this.#isBroken = error.severity !== 'ERROR'
    if (error.severity) failed(error)
    // A connection that was broken before has not sent it.
    if (/not queryable/.test(error.message)) failed(error)
    failed(new CommitUnansweredError(error))
  }

  async rollback() {
    if (!this.#end()) return
    // A rollback follows an error, which this one must not replace; the server forgets the work of a lost connection.
    await this.#client.query('rollback').catch(() => {
      this.#isBroken = true
    })
  }

  release() {
    if (!this.#isReleased) this.#client.release(this.#isBroken)
    this.#isReleased = true
  }

  // biome-ignore lint/correctness/useYield: the interface asks for a generator
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('rows are not streamed from PostgreSQL: ask for pages')
  }

  /** @returns whether there is anything to commit or roll back. */
  #end(): boolean {
    const wasOpen = this.#transaction === 'open'
    this.#transaction = 'none'
    this.#organization = ''
    return wasOpen
  }
}

const CHANGES = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

/** @throws Error if the statement names several organizations and is not marked as one across them. */
function organizationOf({ scope, parameters }: ScopedQuery): string {
  if (scope === 'all') return ALL_ORGANIZATIONS
  const [first, ...others] = (scope?.parameters ?? []).map((place) => parameters[place])
  if (others.some((other) => other !== first))
    throw new Error('a statement names several organizations: use acrossOrganizations(db) if it must')
  if (first === undefined) return ''
  if (typeof first !== 'string' || first === ALL_ORGANIZATIONS) throw new Error('no organization has such an id')
  return first
}

const settingOf = (organization: string): Step => ({
  text: `select set_config('${ORGANIZATION_SETTING}', $1, true)`,
  values: [organization],
})

/** Settings for batches: by default PostgreSQL would plan for each list of values, which costs more than running it. */
const OF_BATCHES = `set_config('plan_cache_mode', 'force_generic_plan', true), set_config('lock_timeout', '500ms', true)`

const statementOf = ({ sql, parameters }: ScopedQuery): Step => ({ text: sql, values: parameters.map(storable) })

const resultOf = <R>({ command, rowCount, rows }: pg.QueryResult): QueryResult<R> => ({
  rows: rows as R[],
  numAffectedRows: CHANGES.has(command) ? BigInt(rowCount ?? 0) : undefined,
})

/** PostgreSQL's text cannot hold the character 0; its replacement is as long, so that offsets into the text stay right. */
function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value
  return Array.isArray(value) ? `{${value.map(elementOf).join(',')}}` : value
}

/** Element of an array in PostgreSQL's notation. */
function elementOf(value: unknown): string {
  if (value === null || value === undefined) return 'NULL'
  return `"${String(storable(value)).replaceAll(/["\\]/g, '\\$&')}"`
}
