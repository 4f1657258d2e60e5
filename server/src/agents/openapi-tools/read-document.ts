import { createFairSemaphore } from '../../platform/concurrency/fair-semaphore.ts'
import { runInWorker, WorkerFailedError } from '../../platform/host/run-in-worker.ts'
import type { ReadDocument } from './api-document.ts'

const ENTRY = new URL('./read-document.worker.ts', import.meta.url)
const READ_MS = 20_000
const HEAP_MB = 384
const AT_ONCE = 2

export type ReadApiDocument = (text: string, organizationId: string, signal: AbortSignal) => Promise<ReadDocument>

/** Reads OpenAPI documents (JSON or YAML) in threads that are ended when they take too long. */
export function createDocumentReader(): ReadApiDocument {
  const limit = createFairSemaphore({ atOnce: AT_ONCE })
  return (text, organizationId, signal) => limit(organizationId, () => readOnce(text, signal), signal)
}

async function readOnce(text: string, signal: AbortSignal): Promise<ReadDocument> {
  try {
    return await runInWorker<ReadDocument>({ entry: ENTRY, data: text, timeoutMs: READ_MS, heapMb: HEAP_MB, signal })
  } catch (error) {
    if (!(error instanceof WorkerFailedError)) throw error
    return { problem: 'It is too large or too tangled to be read' }
  }
}
