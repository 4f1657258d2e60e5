import { type Kysely, sql } from 'kysely'
import type { HttpServer } from './server.ts'

/** `/healthz`: the process runs. `/readyz`: it can serve, 503 while it cannot (draining, database away). */
export function addHealth<S>(app: HttpServer, { db }: { db: Kysely<S> }): void {
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    const isDatabaseThere = await sql`select 1`.execute(db).then(
      () => true,
      () => false,
    )
    if (!isClosing && isDatabaseThere) return { status: 'ok' }
    return reply
      .status(503)
      .header('retry-after', '5')
      .send({ error_code: 'UNAVAILABLE', message: isClosing ? 'The server is shutting down' : 'The database is away' })
  })
}
