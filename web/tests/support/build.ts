import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Builds the UI if its sources changed: once, before the test files that run in parallel. */
export async function setup(): Promise<void> {
  const { ensureWebBuilt } = await import(pathToFileURL(join(root, 'tools/web-build.mjs')).href)
  await ensureWebBuilt()
}
