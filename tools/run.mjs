// node tools/run.mjs FILE.ts ...ARGUMENTS: installs what is missing, then runs the file on the pinned Node.
// The file is imported, so it does its work at its top level and finds its arguments in process.argv as usual.
import { enableCompileCache } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureInstalled } from './install.mjs'
import { continueOnPinnedNode, isPinned, root } from './node.mjs'

try {
  await ensureInstalled()
} catch (error) {
  console.error(error.message)
  process.exit(1)
}
if (isPinned()) {
  enableCompileCache(join(root, 'node_modules/.cache/compiled'))
  process.argv.splice(1, 1)
  process.argv[1] = resolve(process.argv[1])
  await import(pathToFileURL(process.argv[1]).href)
} else await continueOnPinnedNode()
