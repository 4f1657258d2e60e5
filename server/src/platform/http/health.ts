import { type Kysely, sql } from 'kysely'
import type { HttpServer } from './server.ts'

/** `/healthz`: the process runs. `/readyz`: it can serve, 503 while it cannot (database away; also while draining, as everything else). */
export function addHealth<S>(app: HttpServer, { db }: { db: Kysely<S> }): void {
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    const isDatabaseThere = await sql`select 1`.execute(db).then(
      () => true,
      () => false,
    )
    if (isDatabaseThere) return { status: 'ok' }
    return reply
      .status(503)
      .header('retry-after', '5')
      .send({ error_code: 'UNAVAILABLE', message: 'The database is away' })
  })
}
