import { streamPaced } from '../paced-streams.ts'
import { usageOf } from '../process-usage.ts'
import type { Scenario, Side } from '../scenario.ts'

async function withCost(side: Side, streams: number, seconds: number) {
  const before = usageOf(side.server.pid).cpuMs
  const result = await streamPaced(side, streams, seconds)
  return { ...result, cpuMs: ((usageOf(side.server.pid).cpuMs - before) / result.tokens) * 1000 }
}

/** Streams at the pace of models: one write a token, which is where most of their cost lies. */
export const paced: Scenario = {
  name: 'paced',
  figures: [
    { metric: 'cpu50', label: '50 streams, a token each 20 ms, CPU ms per 1,000 tokens', goal: { maxRatio: 1.4 } },
    { metric: 'cpu200', label: '200 such streams, CPU ms per 1,000 tokens' },
    { metric: 'first', label: '200 such streams, first token, p50 ms', goal: { maxRatio: 3 } },
    { metric: 'lagP50', label: '200 such streams, token lag, p50 ms' },
    { metric: 'lagP99', label: '200 such streams, token lag, p99 ms', goal: { maxRatio: 3, max: 50 } },
  ],

  async prepare(side) {
    await streamPaced(side, 50, 1)
  },

  async measure(side, { seconds }) {
    const some = await withCost(side, 50, seconds)
    const many = await withCost(side, 200, seconds)
    return {
      cpu50: some.cpuMs,
      cpu200: many.cpuMs,
      first: many.firstTokenP50Ms,
      lagP50: many.lagP50Ms,
      lagP99: many.lagP99Ms,
    }
  },
}
