import type { TestProject } from 'vitest/node'
import { startOwnServer } from './own-server.ts'

/** The target of `npm run acceptance -- --url ...`, or else a server that lives as long as the run. */
export default async function setup(project: TestProject): Promise<undefined | (() => Promise<void>)> {
  const given = process.env.ACCEPTANCE_TARGET
  if (given) {
    project.provide('target', JSON.parse(given))
    return
  }
  const { target, stop } = await startOwnServer()
  project.provide('target', target)
  return stop
}
