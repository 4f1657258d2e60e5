import { mkdir } from 'node:fs/promises'
import { createFairSemaphore } from '../../platform/concurrency/fair-semaphore.ts'
import { lazy } from '../../platform/concurrency/lazy.ts'
import type { MadeFile, MakeRequest } from './make-request.ts'
import { makeInProcess, type ProcessOptions } from './maker-process.ts'

export interface MakeCaller {
  /** Organizations share the places. */
  organizationId: string
  signal: AbortSignal
}

export interface FileMaker {
  /** @throws MakeFailure for what the model can do better; the signal's reason when aborted */
  make(request: MakeRequest, caller: MakeCaller): Promise<MadeFile>
}

export interface FileMakerOptions extends Partial<ProcessOptions> {
  cacheFolder: string
  /** Font files for letters that our own fonts lack. */
  fonts?: string[]
}

/** Each takes a processor for about a second, and up to a gigabyte. */
const MOST_AT_ONCE = 2
const HEAP_MB = 512

/** Makes documents, tables and charts beside the server's own work, two at a time, and one more for another organization. */
export function createFileMaker({ cacheFolder, fonts = [], heapMb = HEAP_MB }: FileMakerOptions): FileMaker {
  const limit = createFairSemaphore({ atOnce: MOST_AT_ONCE, mayExceed: true })
  const cache = lazy(() => mkdir(cacheFolder, { recursive: true }))
  return {
    async make(request, { organizationId, signal }) {
      signal.throwIfAborted()
      await cache.get()
      const make = () => makeInProcess({ request, fonts }, { cacheFolder, heapMb }, signal)
      return limit(organizationId, make, signal)
    },
  }
}
