import { parentPort } from 'node:worker_threads'
import { type GuideSite, readSite } from './site.ts'

export type SiteTask = { root: string; what: 'search' } | { root: string; what: 'page'; path: string }

function createAnswers() {
  let site: Promise<GuideSite> | undefined
  return async (task: SiteTask) => {
    const known = await (site ??= readSite(task.root))
    parentPort?.postMessage(task.what === 'search' ? await known.searchIndex() : await known.page(task.path))
  }
}

const answer = createAnswers()

parentPort?.on('message', (task: SiteTask) => {
  answer(task).catch((error) => {
    // Ends the thread: anyone who waits for the answer learns that there is none.
    throw error
  })
})
