import type { Browser } from 'playwright-core'
import { openWindow } from '../visitor.ts'

/** Compressed bytes received until the page was idle, by kind. */
export interface FirstLoad {
  script: number
  style: number
  font: number
}

const KINDS: Record<string, keyof FirstLoad> = { Script: 'script', Stylesheet: 'style', Font: 'font' }

/** Opens a page with a session but an empty cache. */
export async function measureFirstLoad(browser: Browser, url: string, path: string, state: State): Promise<FirstLoad> {
  const { page, leave } = await openWindow(browser, url, { storageState: state })
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Network.enable')
  const sums: FirstLoad = { script: 0, style: 0, font: 0 }
  const kinds = new Map<string, keyof FirstLoad>()
  cdp.on('Network.responseReceived', ({ requestId, type }) => {
    if (KINDS[type]) kinds.set(requestId, KINDS[type])
  })
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId)
    if (kind) sums[kind] += encodedDataLength
  })
  await page.goto(url + path, { waitUntil: 'networkidle' })
  await leave()
  return sums
}

type State = Awaited<ReturnType<ReturnType<Browser['contexts']>[number]['storageState']>>
