// Place and making of the server's bundle; docs/decisions/0017-bundle-of-the-server.md has the reasons.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { hashOf } from './hash-of.mjs'
import { ended, root } from './node.mjs'

/** Sources of the bundle, and the tools that make it. */
const SOURCES = ['server/src', 'server/package.json', 'package-lock.json', 'tools/bundle-server.mjs']

let folder

/** Folder for the bundle of the sources as they are now. */
export const bundleFolder = () => join(root, 'server/dist', hashOf(SOURCES).slice(0, 16))

/** File of the bundle, if one was made of the sources as they were when this process first looked. */
function bundled(name) {
  folder ??= bundleFolder()
  const path = join(folder, name)
  return existsSync(path) ? path : undefined
}

/** The file that serves. */
export const bundledServer = () => bundled('main.js')

/** The file that runs an operator's commands. */
export const bundledAdmin = () => bundled('admin/admin.js')

/** Setup for Vitest, before tests. */
export { ensureServerBundled as setup }

/** Bundles the server if that was not done for its sources as they are. Where it fails, they can do without. */
export async function ensureServerBundled() {
  if (bundledServer()) return
  console.error('Bundling the server.')
  // In a process of its own: what bundles would stay in the memory of the one that serves.
  const child = spawn(process.execPath, [join(root, 'tools/bundle-server.mjs')], { stdio: ['ignore', 2, 2] })
  const { code } = await ended(child)
  if (code !== 0) console.error('The server could not be bundled: it runs from its sources, and takes longer to start.')
}
