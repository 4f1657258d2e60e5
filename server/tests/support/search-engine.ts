import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LanceEngine } from '../../src/search/lance/lance-engine.ts'

/** An engine of its own, on an empty folder; `close` removes that, too. What fails in the background fails the test. */
export async function openTestEngine(): Promise<{ engine: LanceEngine; close: () => Promise<void> }> {
  const uri = await mkdtemp(join(tmpdir(), 'docent-search-'))
  const engine = new LanceEngine({
    uri,
    onBackgroundError: (error) => {
      throw error
    },
  })
  return {
    engine,
    async close() {
      await engine.close()
      await rm(uri, { recursive: true, force: true })
    },
  }
}
