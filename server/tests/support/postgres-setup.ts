import { createServer } from 'node:http'
import type { TestProject } from 'vitest/node'
import { type PostgresServer, startPostgres } from './postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Starts PostgreSQL at the first request and answers with the URL of its superuser. */
    postgres: string
  }
}

/** One PostgreSQL server for all tests of a run, started when the first of them asks for it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let server: Promise<PostgresServer> | undefined
  const door = createServer(async (_request, response) => {
    try {
      server ??= startPostgres()
      response.end((await server).adminUrl)
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
