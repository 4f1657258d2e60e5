import { setTimeout as delay } from 'node:timers/promises'
import { FILES, ingestFiles } from '../ingest-files.ts'
import { usageOf } from '../process-usage.ts'
import type { Scenario } from '../scenario.ts'

/** Long enough for an index that is brought up to date after the last write, and for idle parsers to end. */
const AFTERWARDS_MS = 12_000

/** Files of 20 KB, uploaded eight at a time: receiving, storing, parsing (in processes below the server), indexing. */
export const ingest: Scenario = {
  name: 'ingest',
  figures: [
    { metric: 'cpu', label: `upload and index ${FILES} texts of 20 KB, CPU ms a file`, goal: { max: 7 } },
    { metric: 'later', label: 'the same with all that the server does afterwards, CPU ms a file' },
    { metric: 'files', label: 'files/s' },
    { metric: 'rss', label: 'memory at its end, MB' },
  ],

  async prepare(side) {
    await (await ingestFiles(side))()
  },

  async measure(side) {
    const { pid } = side.server
    const before = usageOf(pid).cpuMs
    const startedAt = performance.now()
    const requireFound = await ingestFiles(side)
    const seconds = (performance.now() - startedAt) / 1000
    const at = usageOf(pid)
    await delay(AFTERWARDS_MS)
    const later = usageOf(pid).cpuMs
    await requireFound()
    return {
      cpu: (at.cpuMs - before) / FILES,
      later: (later - before) / FILES,
      files: FILES / seconds,
      rss: at.rssMb,
    }
  },
}
