import { parentPort } from 'node:worker_threads'
import { type GuideSite, readSite } from './site.ts'

export type SiteTask = { root: string; what: 'search' } | { root: string; what: 'page'; path: string }

let site: Promise<GuideSite> | undefined

async function answer(task: SiteTask): Promise<string | undefined> {
  const known = await (site ??= readSite(task.root))
  return task.what === 'search' ? known.searchIndex() : known.page(task.path)
}

parentPort?.on('message', async (task: SiteTask) => {
  parentPort?.postMessage(await answer(task))
})
