import type { TestProject } from 'vitest/node'
import { startOwnServer } from './own-server/own-server.ts'
import type { Target } from './target.ts'

/**
 * The target of `npm run acceptance -- --url ...`, or else a server that lives as long as the run: one process on the
 * embedded database, or several on the PostgreSQL that the project was given.
 */
export default async function setup(project: TestProject): Promise<undefined | (() => Promise<void>)> {
  const given = process.env.ACCEPTANCE_TARGET
  if (given) {
    await provide(project, JSON.parse(given))
    return
  }
  const { postgres } = project.getProvidedContext()
  const postgresUrl = postgres ? await (await fetch(postgres)).text() : undefined
  const { target, stop } = await startOwnServer({}, postgresUrl)
  await provide(project, target)
  return stop
}

async function provide(project: TestProject, target: Target): Promise<void> {
  const response = await fetch(`${target.url}/openapi.json`)
  project.provide('target', target)
  project.provide('openapi', await response.json())
}
