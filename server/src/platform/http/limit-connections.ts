import type { Server } from 'node:http'
import type { Logger } from '../telemetry/logger.ts'

/** Pause between two warnings in the log. */
const WARN_EVERY_MS = 60_000

/** Refuses connections beyond that many. Those that send nothing end by themselves, see `headersMs`. */
export function limitConnections(server: Server, most: number, logger: Logger): void {
  if (!Number.isFinite(most)) return
  let warnedAt = Number.NEGATIVE_INFINITY
  server.maxConnections = most
  server.on('drop', () => {
    if (performance.now() - warnedAt < WARN_EVERY_MS) return
    warnedAt = performance.now()
    logger.warn({ most }, 'connections are refused: more would leave no descriptors for files; raise ulimit -n')
  })
}
