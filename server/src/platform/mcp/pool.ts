import type { CallToolResult } from '@modelcontextprotocol/client'
import { LRUCache } from 'lru-cache'
import { deadline, TooLateError } from '../deadline.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { Logger } from '../telemetry/logger.ts'
import type { CallLimits, McpConnection } from './connect.ts'
import { type ListedTool, McpSessionLostError, type McpTarget, McpUnreachableError } from './target.ts'

export interface McpPool {
  /** Tools that the server listed within the last seconds. @throws McpUnreachableError, or the signal's reason */
  listTools(key: string, target: McpTarget, limits: CallLimits): Promise<ListedTool[]>
  /** @throws McpCallError, McpUnreachableError, or the signal's reason */
  callTool(key: string, target: McpTarget, call: McpCall, limits: CallLimits): Promise<CallToolResult>
  /** A connection of its own, for a look at the server. @throws McpUnreachableError */
  connect(target: McpTarget, limits: CallLimits): Promise<McpConnection>
  /** Ends all connections and the programs behind them. */
  close(): Promise<void>
}

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
  /** The same, once it is open. */
  opened?: McpConnection
  users: number
  idle?: NodeJS.Timeout
  tools?: { list: Promise<ListedTool[]>; at: number }
}

const CONNECT_MS = 10_000

/** Connections to MCP servers, each made when it is first used and ended when nobody has used it for a while. */
export function createMcpPool(options: McpPoolOptions): McpPool {
  const { outbound, logger, idleMs = 60_000, freshMs = 30_000, restMs = 10_000, most = 100 } = options
  const entries = new Map<string, Entry>()
  const failures = new LRUCache<string, { error: McpUnreachableError; until: number }>({ max: 1000 })
  const closing = new AbortController()

  async function open(target: McpTarget, limits: CallLimits, onToolsChanged?: () => void): Promise<McpConnection> {
    const { connectMcp } = await import('./connect.ts')
    return connectMcp(target, { ...limits, outbound, logger, onToolsChanged })
  }

  function entryOf(key: string, target: McpTarget): Entry {
    const known = entries.get(key)
    // The other side may have ended it meanwhile.
    if (known && known.opened?.isOpen !== false) return known
    if (known) letGo(key, known)
    const rested = failures.get(key)
    if (rested && rested.until > performance.now()) throw rested.error
    failures.delete(key)
    makeRoom()
    const entry: Entry = {
      users: 0,
      // Whoever comes first may leave before it is open, and others wait for it, too.
      connection: open(target, { timeoutMs: CONNECT_MS, signal: closing.signal }, () => {
        entry.tools = undefined
      }),
    }
    const opened = (connection: McpConnection) => {
      entry.opened = connection
    }
    entry.connection.then(opened, (error) => {
      if (entries.get(key) === entry) entries.delete(key)
      if (error instanceof McpUnreachableError) failures.set(key, { error, until: performance.now() + restMs })
    })
    entries.set(key, entry)
    return entry
  }

  /** The one that was used longest ago goes first. */
  function makeRoom(): void {
    if (entries.size < most) return
    for (const [key, entry] of entries) {
      if (entry.users > 0) continue
      letGo(key, entry)
      return
    }
  }

  function drop(key: string, entry: Entry): Promise<void> {
    clearTimeout(entry.idle)
    if (entries.get(key) === entry) entries.delete(key)
    return entry.connection.then(
      (connection) => connection.close(),
      () => {},
    )
  }

  /** Nobody waits for its end. */
  function letGo(key: string, entry: Entry): void {
    drop(key, entry).catch((error) => logger.debug({ err: error }, 'a connection to an MCP server was not closed'))
  }

  async function use<T>(
    key: string,
    target: McpTarget,
    limits: CallLimits,
    work: (connection: McpConnection, entry: Entry) => Promise<T>,
  ): Promise<T> {
    const entry = entryOf(key, target)
    entry.users++
    clearTimeout(entry.idle)
    // At the end of the map is what was used last.
    entries.delete(key)
    entries.set(key, entry)
    let connection: McpConnection | undefined
    try {
      connection = await deadline(entry.connection, limits.timeoutMs, limits.signal)
      return await work(connection, entry)
    } finally {
      entry.users--
      if (connection && !connection.isOpen) letGo(key, entry)
      else if (entry.users === 0) entry.idle = setTimeout(() => letGo(key, entry), idleMs).unref()
    }
  }

  async function listOnce(connection: McpConnection, entry: Entry, limits: CallLimits): Promise<ListedTool[]> {
    const known = entry.tools
    if (known && performance.now() - known.at < freshMs) return deadline(known.list, limits.timeoutMs, limits.signal)
    const list = connection.listTools({ ...limits, signal: closing.signal })
    const tools = { list, at: performance.now() }
    entry.tools = tools
    list.catch(() => {
      if (entry.tools === tools) entry.tools = undefined
    })
    return deadline(list, limits.timeoutMs, limits.signal)
  }

  return {
    async listTools(key, target, limits) {
      try {
        const list = use(key, target, limits, (connection, entry) => listOnce(connection, entry, limits))
        return await deadline(list, limits.timeoutMs, limits.signal)
      } catch (error) {
        throw late(error)
      }
    },

    async callTool(key, target, { name, given }, limits) {
      const call = () => use(key, target, limits, (connection) => connection.callTool(name, given, limits))
      try {
        return await call()
      } catch (error) {
        if (!(error instanceof McpSessionLostError)) throw late(error)
        const entry = entries.get(key)
        if (entry) letGo(key, entry)
        return call()
      }
    },

    connect: (target, limits) => open(target, limits),

    async close() {
      closing.abort(new Error('The server is shutting down'))
      await Promise.all([...entries].map(([key, entry]) => drop(key, entry)))
    },
  }
}

/** A wait that was given up is the server's fault. */
const late = (error: unknown): unknown =>
  error instanceof TooLateError
    ? new McpUnreachableError({ summary: 'It did not answer in time' }, { cause: error })
    : error
