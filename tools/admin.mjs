// node tools/admin.mjs COMMAND ...: runs an operator's command, from the bundle where a start has made one.
import { dirname, join } from 'node:path'
import { markInUse } from './bundles-in-use.mjs'
import { ensureInstalled } from './install.mjs'
import { continueOnPinnedNode, isPinned, orExit, root, runHere } from './node.mjs'
import { bundledAdmin } from './server-build.mjs'
import { nameSourceLines } from './source-lines.mjs'

await orExit(ensureInstalled())
if (!isPinned()) await continueOnPinnedNode()
else {
  const bundle = bundledAdmin()
  if (bundle) {
    markInUse(dirname(dirname(bundle)))
    nameSourceLines(dirname(bundle))
    await runHere(bundle, join(dirname(bundle), 'compiled'))
  } else await runHere(join(root, 'server/src/admin.ts'))
}
