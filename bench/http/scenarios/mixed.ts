import { once } from 'node:events'
import { ingestFiles } from '../ingest-files.ts'
import type { LoopReport } from '../loop-watch.ts'
import { streamPaced } from '../paced-streams.ts'
import type { Scenario } from '../scenario.ts'
import { endSide, startSide } from '../sides.ts'

const WATCH = new URL('../loop-watch.ts', import.meta.url).href
const STREAMS = 50

/** Files are indexed while others talk to agents: who talks must not notice. */
export const mixed: Scenario = {
  name: 'mixed',
  sides: ['docent'],
  figures: [
    { metric: 'delay', label: '50 streams while 200 files are indexed: event loop delay, p99 ms', goal: { max: 20 } },
    { metric: 'work', label: 'its longest work without a turn, CPU ms', goal: { max: 20 } },
    { metric: 'delayMax', label: 'its longest delay, the machine and its disk included, ms' },
    { metric: 'lag', label: 'token lag, p99 ms', goal: { max: 50 } },
    { metric: 'first', label: 'first token, p50 ms' },
  ],

  async measure({ name }, setting) {
    const side = await startSide(name, `mixed-${name}`, setting, { nodeOptions: ['--import', WATCH] })
    const { child } = side.server
    const askLoop = async () => {
      child.send('report')
      const [report] = (await once(child, 'message')) as [LoopReport]
      return report
    }
    // The first round loads code and starts parsers: part of a server's life, but not of this figure.
    await (await ingestFiles(side))()
    await streamPaced(side, STREAMS, 1)
    await askLoop()
    const [streams, requireFound] = await Promise.all([streamPaced(side, STREAMS, setting.seconds), ingestFiles(side)])
    const loop = await askLoop()
    await requireFound()
    await endSide(side, setting)
    return {
      delay: loop.delayP99Ms,
      work: loop.workMaxMs,
      delayMax: loop.delayMaxMs,
      lag: streams.lagP99Ms,
      first: streams.firstTokenP50Ms,
    }
  },
}
