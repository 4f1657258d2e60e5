import { mkdir } from 'node:fs/promises'
import { lazy } from '../../platform/lazy.ts'
import { createLimit } from '../../platform/limit.ts'
import type { MadeFile, MakeRequest } from './make-request.ts'
import { makeInProcess, type ProcessOptions } from './maker-process.ts'

export interface FileMaker {
  /** @throws MakeFailure for what the model can do better; the signal's reason when aborted */
  make(request: MakeRequest, signal: AbortSignal): Promise<MadeFile>
}

export interface FileMakerOptions extends Partial<ProcessOptions> {
  cacheFolder: string
  /** Font files for letters that our own fonts lack. */
  fonts?: string[]
}

/** Each takes a processor for about a second, and up to a gigabyte. */
const MOST_AT_ONCE = 2
const HEAP_MB = 512

/** Makes documents, tables and charts beside the server's own work, two at a time; the others wait for their turn. */
export function createFileMaker({ cacheFolder, fonts = [], heapMb = HEAP_MB }: FileMakerOptions): FileMaker {
  const limit = createLimit(MOST_AT_ONCE)
  const cache = lazy(() => mkdir(cacheFolder, { recursive: true }))
  return {
    async make(request, signal) {
      signal.throwIfAborted()
      await cache.get()
      return limit(() => makeInProcess({ request, fonts }, { cacheFolder, heapMb }, signal))
    },
  }
}
