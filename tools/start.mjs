// npm start: installs and builds what is missing, then serves on the pinned Node.
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { ensureInstalled } from './install.mjs'
import { continueOnPinnedNode, isPinned, root } from './node.mjs'
import { ensureWebBuilt } from './web-build.mjs'

process.env.NODE_ENV ??= 'production'
try {
  await ensureInstalled()
  if (!process.argv.includes('--help')) await ensureWebBuilt()
} catch (error) {
  console.error(error.message)
  process.exit(1)
}
if (isPinned()) {
  enableCompileCache(join(root, 'node_modules/.cache/compiled'))
  await import('../server/src/main.ts')
} else await continueOnPinnedNode()
