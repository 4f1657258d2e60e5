import { setPriority } from 'node:os'
import { createWatchdog } from '../../platform/host/watchdog.ts'
import { MakeFailure } from './failure.ts'
import { make } from './make.ts'
import type { MakeAnswer, MakeTask } from './make-request.ts'

// The process in which one file is made: request in, file out, end. What a model wrote may take any time and memory.
const MOST_MB = 1_024
const MOST_CPU_MS = 30_000
const LOW_PRIORITY = 5
const NESTED = 'The content is nested too deeply; write it with fewer levels.'

const watchdog = createWatchdog()
watchdog.beginFile(MOST_CPU_MS)
watchdog.watch(MOST_MB)
try {
  setPriority(LOW_PRIORITY)
} catch {
  // Not allowed in every container.
}
process.on('message', (task: MakeTask) => {
  answer(task).catch((error) => {
    // Not even that could be said: the end of this process says it.
    console.error(error)
    process.exit(1)
  })
})
process.on('disconnect', () => process.exit())

async function answer({ request, fonts }: MakeTask): Promise<void> {
  const send = (message: MakeAnswer) => process.send?.(message)
  try {
    if (fonts.length > 0) (await import('./fonts/fonts.ts')).addFonts(fonts)
    send({ type: 'made', file: await make(request) })
  } catch (error) {
    if (error instanceof MakeFailure) send({ type: 'refused', problem: error.problem, advice: error.advice })
    else if (error instanceof RangeError && error.message.includes('call stack'))
      send({ type: 'refused', problem: NESTED })
    else send({ type: 'failed', stack: String(error instanceof Error ? error.stack : error).slice(0, 4_000) })
  }
}
