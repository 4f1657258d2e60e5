import { setTimeout as delay } from 'node:timers/promises'

/** Sends one request after the other, and says how long they took. */
export function probeRequests(send: () => Promise<unknown>) {
  const waits: number[] = []
  let isOver = false
  const probing = (async () => {
    while (!isOver) {
      const startedAt = performance.now()
      await send()
      waits.push(performance.now() - startedAt)
      await delay(10)
    }
  })()
  return {
    async end(): Promise<string> {
      isOver = true
      await probing
      waits.sort((one, other) => one - other)
      const at = (share: number) => waits[Math.floor((waits.length - 1) * share)]!.toFixed(1)
      return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, at most ${at(1)} ms of ${waits.length}`
    },
  }
}
