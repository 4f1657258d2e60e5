import type { Reporter, TestModule } from 'vitest/node'

/**
 * Ends the run with the line `N passed, N failed`, and with a failure if nothing passed. Tests that passed only when
 * they were tried again (`TEST_RETRY`) are named before it: each is a race that is still to be found.
 */
// Vitest loads a reporter by its default export.
export default class TestSummary implements Reporter {
  readonly #counts = { passed: 0, failed: 0, skipped: 0 }
  readonly #unsteady: string[] = []

  constructor() {
    process.once('exit', () => {
      const { passed, failed, skipped } = this.#counts
      if (failed > 0 || passed === 0) process.exitCode ||= 1
      for (const name of this.#unsteady) console.log(`passed only on the second try: ${name}`)
      console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
    })
  }

  /** A file or a group that fails outside of its tests has none to count, but it has failed. */
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const counts = this.#counts
    counts.failed += unhandledErrors.length
    for (const module of modules) {
      for (const suite of [module, ...module.children.allSuites()]) counts.failed += suite.errors().length
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        counts[state === 'pending' ? 'skipped' : state]++
        if (test.diagnostic()?.flaky) this.#unsteady.push(`${module.relativeModuleId} > ${test.fullName}`)
      }
    }
  }
}
