// npm test: installs what is missing, then runs every test with Vitest on the pinned Node. Arguments go to Vitest.
import { join } from 'node:path'
import { ensureInstalled } from './install.mjs'
import { memoryFolder } from './memory-folder.mjs'
import { continueOnPinnedNode, isPinned, orExit, root, runHere } from './node.mjs'

await orExit(ensureInstalled())
if (isPinned()) {
  process.chdir(root)
  process.env.NODE_ENV = 'test'
  const folder = process.env.TMPDIR || memoryFolder()
  if (folder) process.env.TMPDIR = folder
  const given = process.argv.slice(2)
  const reporters = given.some((argument) => argument.startsWith('--reporter')) ? [] : ['--reporter=default']
  const summary = `--reporter=${join(root, 'tools/test-summary.ts')}`
  process.argv.splice(2, Number.POSITIVE_INFINITY, 'run', ...given, ...reporters, summary)
  await runHere(join(root, 'node_modules/vitest/vitest.mjs'))
} else await continueOnPinnedNode()
