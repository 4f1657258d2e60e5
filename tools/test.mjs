// npm test: installs what is missing, then runs every test on the pinned Node. Arguments go to Vitest.
import { ensureInstalled } from './install.mjs'
import { continueOnPinnedNode, isPinned, root } from './node.mjs'

try {
  await ensureInstalled()
} catch (error) {
  console.error(error.message)
  process.exit(1)
}
if (!isPinned()) await continueOnPinnedNode()
process.chdir(root)
process.env.NODE_ENV = 'test'

/** A file or a group that fails outside of its tests has none to count, but it has failed. */
function countResults(state) {
  const counts = { passed: 0, failed: state.getUnhandledErrors().length, skipped: 0 }
  for (const module of state.getTestModules()) {
    for (const suite of [module, ...module.children.allSuites()]) counts.failed += suite.errors().length
    for (const test of module.children.allTests()) {
      const { state: result } = test.result()
      counts[result === 'pending' ? 'skipped' : result]++
    }
  }
  return counts
}

const { parseCLI, startVitest } = await import('vitest/node')
const { filter, options } = parseCLI(['vitest', 'run', ...process.argv.slice(2)])
const vitest = await startVitest(filter, options)
const counts = countResults(vitest.state)
await vitest.close()
console.log(`${counts.passed} passed, ${counts.failed} failed${counts.skipped ? `, ${counts.skipped} skipped` : ''}`)
const isGreen = counts.failed === 0 && counts.passed > 0
process.exit(isGreen ? (process.exitCode ?? 0) : process.exitCode || 1)
