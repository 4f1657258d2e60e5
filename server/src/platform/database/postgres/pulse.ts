import pg from 'pg'

const CHECK_EVERY_MS = 500
/** A connection that was in use for this long makes us ask whether the server still answers. */
const SUSPECT_AFTER_MS = 3_000
const PATIENCE_MS = 3_000

export interface PulseOptions {
  pool: pg.Pool
  url: string
  /** Called when the server ceases to answer, and when it answers again. */
  onChange?(isThere: boolean): void
}

/** Whether the server answers at all. */
export interface Pulse {
  isThere(): boolean
  /** Error to fail with while it does not: with the text of `pg`, by which it is recognised. */
  silence(): Error
  stop(): void
}

/**
 * A server that hangs, or is cut off, breaks no connection: anyone who asks it something waits for ever. So when a
 * connection of the pool has been in use for long, a new one shows whether that statement is slow or nothing is
 * answered at all. In that case all connections are ended, and nobody gets one until the server answers again.
 */
export function watchPulse({ pool, url, onChange }: PulseOptions): Pulse {
  const open = new Set<pg.PoolClient>()
  const inUse = new Map<pg.PoolClient, number>()
  let isThere = true
  let isAsking = false
  let answeredAt = 0

  pool.on('connect', (client) => open.add(client))
  pool.on('remove', (client) => open.delete(client))
  pool.on('acquire', (client) => inUse.set(client, performance.now()))
  pool.on('release', (_error, client) => inUse.delete(client))

  async function check(): Promise<void> {
    const suspectSince = performance.now() - SUSPECT_AFTER_MS
    const oldest = inUse.values().next().value ?? Number.POSITIVE_INFINITY
    const isSuspect = oldest < suspectSince && answeredAt < suspectSince
    if (isAsking || (isThere && !isSuspect)) return
    isAsking = true
    const before = isThere
    try {
      isThere = await answers(url)
    } finally {
      isAsking = false
    }
    answeredAt = performance.now()
    if (!isThere) for (const client of open) client.connection.stream.destroy()
    if (isThere !== before) onChange?.(isThere)
  }

  const timer = setInterval(() => {
    check().catch(() => {})
  }, CHECK_EVERY_MS)
  timer.unref()

  return {
    isThere: () => isThere,
    silence: () => new Error('Connection terminated: the server does not answer'),
    stop: () => clearInterval(timer),
  }
}

/** Whether anything comes back for a new connection, if only a refusal. */
async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, application_name: 'docent pulse' })
  client.on('error', () => {})
  const late = Promise.withResolvers<false>()
  // In steps, each of which counts once: what has arrived while the event loop was busy is not late.
  let stepsLeft = PATIENCE_MS / CHECK_EVERY_MS
  const timer = setInterval(() => --stepsLeft > 0 || late.resolve(false), CHECK_EVERY_MS)
  const isThere = await Promise.race([isAnswered(client), late.promise])
  clearInterval(timer)
  client.connection.stream.destroy()
  return isThere
}

const isAnswered = (client: pg.Client): Promise<boolean> =>
  client.connect().then(
    () => true,
    (error) => error.severity !== undefined,
  )
