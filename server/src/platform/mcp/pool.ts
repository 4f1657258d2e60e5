import type { CallToolResult } from '@modelcontextprotocol/client'
import { deadline, TooLateError } from '../concurrency/deadline.ts'
import { createLruCache } from '../lru-cache.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { Logger } from '../telemetry/logger.ts'
import type { CallLimits, McpConnection } from './connect.ts'
import { type ListedTool, McpSessionLostError, type McpTarget, McpUnreachableError } from './target.ts'

export interface McpCall {
  name: string
  given: Record<string, unknown>
}

export interface McpPoolOptions {
  outbound: Outbound
  logger: Logger
  /** How long a connection that nobody uses is kept. */
  idleMs?: number
  /** How long a list of tools counts. */
  freshMs?: number
  /** How long a server that could not be reached is left alone. */
  restMs?: number
  /** Connections that are kept; beyond them, idle ones go first. */
  most?: number
}

interface Entry {
  connection: Promise<McpConnection>
  /** The connection, once it is open. */
  opened?: McpConnection
  users: number
  idle?: NodeJS.Timeout
  tools?: { list: Promise<ListedTool[]>; at: number }
}

const CONNECT_MS = 10_000

/** Connections to MCP servers, each made when it is first used and ended when nobody has used it for a while. */
export class McpPool {
  readonly #options: Required<McpPoolOptions>
  readonly #entries = new Map<string, Entry>()
  readonly #failures = createLruCache<{ error: McpUnreachableError; until: number }>(1000)
  readonly #closing = new AbortController()

  constructor(options: McpPoolOptions) {
    this.#options = { idleMs: 60_000, freshMs: 30_000, restMs: 10_000, most: 100, ...options }
  }

  /** Tools that the server listed within the last seconds. @throws McpUnreachableError, or the signal's reason */
  async listTools(key: string, target: McpTarget, limits: CallLimits): Promise<ListedTool[]> {
    try {
      const list = this.#use(key, target, limits, (connection, entry) => this.#listOnce(connection, entry, limits))
      return await deadline(list, limits.timeoutMs, limits.signal)
    } catch (error) {
      throw toUnreachable(error)
    }
  }

  /** @throws McpCallError, McpUnreachableError, or the signal's reason */
  async callTool(
    key: string,
    target: McpTarget,
    { name, given }: McpCall,
    limits: CallLimits,
  ): Promise<CallToolResult> {
    const call = () => this.#use(key, target, limits, (connection) => connection.callTool(name, given, limits))
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof McpSessionLostError)) throw toUnreachable(error)
      const entry = this.#entries.get(key)
      if (entry) this.#letGo(key, entry)
      return call()
    }
  }

  /** A connection of its own, for a look at the server. @throws McpUnreachableError */
  connect(target: McpTarget, limits: CallLimits): Promise<McpConnection> {
    return this.#open(target, limits)
  }

  /** Ends all connections and the programs behind them. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('The server is shutting down'))
    await Promise.all([...this.#entries].map(([key, entry]) => this.#drop(key, entry)))
  }

  async #open(target: McpTarget, limits: CallLimits, onToolsChanged?: () => void): Promise<McpConnection> {
    const { outbound, logger } = this.#options
    const { connectMcp } = await import('./connect.ts')
    return connectMcp(target, { ...limits, outbound, logger, onToolsChanged })
  }

  #entryOf(key: string, target: McpTarget): Entry {
    const known = this.#entries.get(key)
    // The other side may have ended it meanwhile.
    if (known && known.opened?.isOpen !== false) return known
    if (known) this.#letGo(key, known)
    const rested = this.#failures.get(key)
    if (rested && rested.until > performance.now()) throw rested.error
    this.#failures.delete(key)
    this.#makeRoom()
    const entry: Entry = {
      users: 0,
      // The first caller may leave before it is open, and others wait for it, too.
      connection: this.#open(target, { timeoutMs: CONNECT_MS, signal: this.#closing.signal }, () => {
        entry.tools = undefined
      }),
    }
    const opened = (connection: McpConnection) => {
      entry.opened = connection
    }
    entry.connection.then(opened, (error) => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key)
      if (error instanceof McpUnreachableError)
        this.#failures.set(key, { error, until: performance.now() + this.#options.restMs })
    })
    this.#entries.set(key, entry)
    return entry
  }

  /** The one that was used longest ago goes first. */
  #makeRoom(): void {
    if (this.#entries.size < this.#options.most) return
    for (const [key, entry] of this.#entries) {
      if (entry.users > 0) continue
      this.#letGo(key, entry)
      return
    }
  }

  #drop(key: string, entry: Entry): Promise<void> {
    clearTimeout(entry.idle)
    if (this.#entries.get(key) === entry) this.#entries.delete(key)
    return entry.connection.then(
      (connection) => connection.close(),
      () => {},
    )
  }

  /** Closes a connection without waiting for it. */
  #letGo(key: string, entry: Entry): void {
    this.#drop(key, entry).catch((error) =>
      this.#options.logger.debug({ err: error }, 'a connection to an MCP server was not closed'),
    )
  }

  async #use<T>(
    key: string,
    target: McpTarget,
    limits: CallLimits,
    work: (connection: McpConnection, entry: Entry) => Promise<T>,
  ): Promise<T> {
    const entry = this.#entryOf(key, target)
    entry.users++
    clearTimeout(entry.idle)
    // At the end of the map is what was used last.
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    let connection: McpConnection | undefined
    try {
      connection = await deadline(entry.connection, limits.timeoutMs, limits.signal)
      return await work(connection, entry)
    } finally {
      entry.users--
      if (connection && !connection.isOpen) this.#letGo(key, entry)
      else if (entry.users === 0) entry.idle = setTimeout(() => this.#letGo(key, entry), this.#options.idleMs).unref()
    }
  }

  async #listOnce(connection: McpConnection, entry: Entry, limits: CallLimits): Promise<ListedTool[]> {
    const known = entry.tools
    if (known && performance.now() - known.at < this.#options.freshMs)
      return deadline(known.list, limits.timeoutMs, limits.signal)
    const list = connection.listTools({ ...limits, signal: this.#closing.signal })
    const tools = { list, at: performance.now() }
    entry.tools = tools
    list.catch(() => {
      if (entry.tools === tools) entry.tools = undefined
    })
    return deadline(list, limits.timeoutMs, limits.signal)
  }
}

/** A wait that was given up is the server's fault. */
const toUnreachable = (error: unknown): unknown =>
  error instanceof TooLateError
    ? new McpUnreachableError({ summary: 'It did not answer in time' }, { cause: error })
    : error
