import { Worker } from 'node:worker_threads'

// Runs beside the parser, so that it also sees what a parser does that never gives the thread back: too much memory
// (native code is outside the limits of the heap), or going on although the server is gone.
const program = `
  const { workerData } = require('node:worker_threads')
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent || process.memoryUsage.rss() > workerData.maxBytes) process.kill(process.pid, 'SIGKILL')
  }, 100)
`

/**
 * Kills this process when it holds more memory than allowed or its parent has died. It is a thread, which costs about
 * 25 ms and 15 MB, so it begins with the first file that needs it.
 */
export function createWatchdog() {
  let worker: Worker | undefined
  return {
    watch(maxMb: number): void {
      if (worker) return
      worker = new Worker(program, {
        eval: true,
        workerData: { maxBytes: maxMb * 1024 * 1024 },
        resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
      })
      worker.unref()
    },
  }
}
