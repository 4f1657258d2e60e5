// npm start: installs and builds what is missing, then serves on the pinned Node.
import { join } from 'node:path'
import v8 from 'node:v8'
import { ensureInstalled } from './install.mjs'
import { continueOnPinnedNode, isPinned, orExit, root, runHere } from './node.mjs'
import { ensureWebBuilt } from './web-build.mjs'

process.env.NODE_ENV ??= 'production'
await orExit(ensureInstalled())
if (!process.argv.includes('--help')) await orExit(ensureWebBuilt())
if (isPinned()) await serve()
else await continueOnPinnedNode()

/**
 * While the server loads, V8's space for young objects stays as small as it begins: it would grow for what is loaded
 * once, and never shrink, which is 25 MB of an idle server. The import is done when the server is ready.
 */
async function serve() {
  v8.setFlagsFromString('--semi-space-growth-factor=1')
  await runHere(join(root, 'server/src/main.ts'))
  v8.setFlagsFromString('--semi-space-growth-factor=2')
}
