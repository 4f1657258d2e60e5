import { Worker } from 'node:worker_threads'

/** Ends a process that took more processor time than it may. */
export const OUT_OF_TIME = 'SIGXCPU'

// Runs beside the parser, so that it also sees what a parser does that never gives the thread back: too much memory
// (native code is outside the limits of the heap), too much processor time (its threads may take that of several
// processors), or going on although the server is gone.
const program = `
  const { parentPort, workerData } = require('node:worker_threads')
  const parent = process.ppid
  let { mostCpu = Infinity } = workerData
  parentPort.on('message', (most) => { mostCpu = most })
  setInterval(() => {
    if (process.ppid !== parent || process.memoryUsage.rss() > workerData.maxBytes) process.kill(process.pid, 'SIGKILL')
    const { user, system } = process.cpuUsage()
    if (user + system > mostCpu) process.kill(process.pid, '${OUT_OF_TIME}')
  }, 100)
`

/**
 * Kills this process when it holds more memory than allowed, takes more processor time for a file, or its parent has
 * died. It is a thread, which costs about 25 ms and 15 MB, so it begins with the first file that needs it.
 */
export function createWatchdog() {
  let worker: Worker | undefined
  let mostCpu: number | undefined
  return {
    /** Allows this process so much processor time from now on, in ms. */
    beginFile(maxCpuMs: number): void {
      const { user, system } = process.cpuUsage()
      mostCpu = user + system + maxCpuMs * 1000
      worker?.postMessage(mostCpu)
    },
    watch(maxMb: number): void {
      if (worker) return
      worker = new Worker(program, {
        eval: true,
        workerData: { maxBytes: maxMb * 1024 * 1024, mostCpu },
        resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
      })
      worker.unref()
    },
  }
}
