import { usageOf } from './process-usage.ts'
import { percentile } from './report/statistics.ts'

export interface LoadResult {
  perSecond: number
  p50Ms: number
  p99Ms: number
  cpuMsEach: number
}

/**
 * As many clients, each with its next request as soon as the last is answered.
 * @param request one request of the client with this number; its error ends the load, which then does not count
 * @returns of the whole load, and what it cost the server
 */
export async function closedLoop(
  { clients, seconds, pid }: { clients: number; seconds: number; pid: number },
  request: (client: number) => Promise<{ ms: number }>,
): Promise<LoadResult> {
  const times: number[] = []
  let failed = false
  const startedAt = performance.now()
  const before = usageOf(pid)
  const until = startedAt + seconds * 1000
  const work = async (_: unknown, client: number) => {
    try {
      while (performance.now() < until && !failed) times.push((await request(client)).ms)
    } catch (error) {
      failed = true
      throw error
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: clients }, work))
  const failure = ended.find((end) => end.status === 'rejected')
  if (failure) throw failure.reason
  const passedSeconds = (performance.now() - startedAt) / 1000
  return {
    perSecond: times.length / passedSeconds,
    p50Ms: percentile(times, 0.5),
    p99Ms: percentile(times, 0.99),
    cpuMsEach: (usageOf(pid).cpuMs - before.cpuMs) / times.length,
  }
}

/** Does something with each number below `count`, at most this many at once. */
export async function inParallel(count: number, atOnce: number, act: (index: number) => Promise<void>): Promise<void> {
  let next = 0
  const work = async () => {
    while (next < count) await act(next++)
  }
  await Promise.all(Array.from({ length: Math.min(count, atOnce) }, work))
}
