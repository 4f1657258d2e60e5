// Serves, where all is installed and built and this is the pinned Node: npm start ends here, and an image begins here.
import { dirname, join } from 'node:path'
import v8 from 'node:v8'
import { markInUse } from './bundles-in-use.mjs'
import { root, runHere } from './node.mjs'
import { bundledServer } from './server-build.mjs'
import { nameSourceLines } from './source-lines.mjs'

/**
 * While the server loads, V8's space for young objects stays as small as it begins: it would grow for what is loaded
 * once, and never shrink, which is 25 MB of an idle server. The import is done when the server is ready.
 */
v8.setFlagsFromString('--semi-space-growth-factor=1')
const bundle = bundledServer()
if (bundle) {
  markInUse(dirname(bundle))
  nameSourceLines(dirname(bundle))
  await runHere(bundle, join(dirname(bundle), 'compiled'))
} else await runHere(join(root, 'server/src/main.ts'))
v8.setFlagsFromString('--semi-space-growth-factor=2')
