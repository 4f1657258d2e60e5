// node tools/run.mjs FILE.ts ...ARGUMENTS: installs what is missing, then runs the file on the pinned Node.
// The file is imported, so it does its work at its top level and finds its arguments in process.argv as usual.
import { resolve } from 'node:path'
import { ensureInstalled } from './install.mjs'
import { continueOnPinnedNode, isPinned, orExit, runHere } from './node.mjs'

await orExit(ensureInstalled())
if (isPinned()) {
  process.argv.splice(1, 1)
  process.argv[1] = resolve(process.argv[1])
  await runHere(process.argv[1])
} else await continueOnPinnedNode()
