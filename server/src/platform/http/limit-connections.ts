import type { Server } from 'node:http'
import { throttle } from '../concurrency/throttle.ts'
import type { Logger } from '../telemetry/logger.ts'

/** Pause between two warnings in the log. */
const WARN_EVERY_MS = 60_000

/** Refuses connections beyond that many. Those that send nothing end by themselves, see `headersMs`. */
export function limitConnections(server: Server, most: number, logger: Logger): void {
  if (!Number.isFinite(most)) return
  server.maxConnections = most
  const warn = throttle(WARN_EVERY_MS, () =>
    logger.warn({ most }, 'connections are refused: more would leave no descriptors for files; raise ulimit -n'),
  )
  server.on('drop', warn)
}
