import { createServer } from 'node:http'
import type { TestProject } from 'vitest/node'
import { type PostgresServer, startPostgres } from './postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * Starts PostgreSQL at the first request and answers with the URL of its superuser; below `/ready` with the name of
     * a database that has the schema and the queue.
     */
    postgres: string
  }
}

/** One PostgreSQL server for all tests of a run, started when the first of them asks for it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let server: Promise<PostgresServer> | undefined
  let ready: Promise<string> | undefined
  const door = createServer(async (request, response) => {
    try {
      server ??= startPostgres()
      const { adminUrl } = await server
      if (request.url === '/ready') response.end(await (ready ??= makeReady(adminUrl)))
      else response.end(adminUrl)
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  })
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
  project.provide('postgres', `http://127.0.0.1:${(door.address() as { port: number }).port}`)
  return async () => {
    door.close()
    door.closeAllConnections()
    await server?.then((started) => started.stop())
  }
}

/** Imported only then: most runs of single tests need none of it. */
const makeReady = async (adminUrl: string) => (await import('./ready-database.ts')).makeReadyDatabase(adminUrl)
