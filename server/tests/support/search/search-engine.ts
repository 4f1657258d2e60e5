import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LanceEngine, type LanceEngineOptions } from '../../../src/search/lance/lance-engine.ts'

/** An engine on a folder; what fails in the background fails the test, unless the options say what to do with it. */
export const newTestEngine = (uri: string, options: Partial<LanceEngineOptions> = {}): LanceEngine =>
  new LanceEngine({
    shared: false,
    onBackgroundError: (error) => {
      throw error
    },
    ...options,
    uri,
  })

/** An engine of its own, on an empty folder; `close` removes that, too. */
export async function openTestEngine(): Promise<{ engine: LanceEngine; close: () => Promise<void> }> {
  const uri = await mkdtemp(join(tmpdir(), 'docent-search-'))
  const engine = newTestEngine(uri)
  return {
    engine,
    async close() {
      await engine.close()
      await rm(uri, { recursive: true, force: true })
    },
  }
}
