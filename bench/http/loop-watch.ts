// Loaded into a server ahead of its own code (node --import): watches how long its event loop keeps others waiting, and
// tells its parent when asked. A timer that is late shows a delay; how much processor time the thread took meanwhile
// tells a loop that worked for this long from one that the machine did not let run.

export interface LoopReport {
  /** How late the timer came. */
  delayP99Ms: number
  delayMaxMs: number
  /** The most work between two turns of the timer. */
  workMaxMs: number
}

const EVERY_MS = 2

let delays: number[] = []
let workMaxMs = 0
let lastAt = performance.now()
let lastCpu = process.threadCpuUsage()

setInterval(() => {
  const at = performance.now()
  const { user, system } = process.threadCpuUsage(lastCpu)
  delays.push(Math.max(0, at - lastAt - EVERY_MS))
  workMaxMs = Math.max(workMaxMs, (user + system) / 1000)
  lastAt = at
  lastCpu = process.threadCpuUsage()
}, EVERY_MS).unref()

function report(): LoopReport {
  delays.sort((a, b) => a - b)
  const delayP99Ms = delays[Math.floor(delays.length * 0.99)] ?? 0
  return { delayP99Ms, delayMaxMs: delays.at(-1) ?? 0, workMaxMs }
}

// Delays from before the first question are answered with it, and then forgotten.
process.on('message', () => {
  process.send?.(report())
  delays = []
  workMaxMs = 0
})
process.channel?.unref()
