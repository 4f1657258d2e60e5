import { setTimeout as delay } from 'node:timers/promises'
import type { DiskRoom } from '../host/disk-room.ts'
import type { HttpServer } from './server.ts'

/** Services that the server cannot do without, by name; a check that throws, or takes long, says that one is away. */
export type Dependencies = Record<string, () => Promise<unknown>>

const PATIENCE_MS = 3_000

const open = { config: { access: { who: 'everybody' } } } as const

/**
 * `/healthz`: the process runs, in this version. `/readyz`: it can serve, 503 while it cannot (something is away, the disk is full; also
 * while draining, as everything else).
 */
export function addHealth(
  app: HttpServer,
  { dependencies, room, version }: { dependencies: Dependencies; room?: Pick<DiskRoom, 'isFull'>; version: string },
): void {
  app.get('/healthz', open, async () => ({ status: 'ok', version }))
  app.get('/readyz', open, async (_request, reply) => {
    const checks = Object.entries(dependencies).map(async ([name, check]) => ((await isThere(check)) ? [] : [name]))
    const away = (await Promise.all(checks)).flat()
    const problems = away.map((name) => `The ${name} is away`)
    if (room?.isFull()) problems.push('The disk is full: only reading and deleting works')
    if (problems.length === 0) return { status: 'ok' }
    return reply
      .status(503)
      .header('retry-after', '5')
      .send({ error_code: 'UNAVAILABLE', message: problems.join('; ') })
  })
}

/** Whether it answers in time: a connection that hangs is none. */
const isThere = (check: () => Promise<unknown>): Promise<boolean> =>
  Promise.race([
    check().then(
      () => true,
      () => false,
    ),
    delay(PATIENCE_MS, false, { ref: false }),
  ])
