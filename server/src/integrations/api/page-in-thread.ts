import type { PageTask, ReadPage } from '../../content/html/read-page.ts'
import { keepWorker } from '../../platform/host/run-in-worker.ts'

/** Reads a page in a thread that all sources share: pages come no faster than sources are asked for them. */
export const readPageInThread = keepWorker<PageTask, ReadPage>({
  entry: new URL('../../content/html/read-pages.worker.ts', import.meta.url),
  timeoutMs: 30_000,
  idleMs: 10_000,
  heapMb: 512,
})
