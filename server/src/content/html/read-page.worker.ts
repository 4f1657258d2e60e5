import { parentPort, workerData } from 'node:worker_threads'
import { detectBufferEncoding } from '../read/text/charset.ts'
import { htmlToText, type PageText } from './html-text.ts'

/** To the thread: what came over the network. */
export interface PageTask {
  bytes: Uint8Array
  isHtml: boolean
  /** As the reply named it. */
  charset: string | undefined
  address: string
}

const { bytes, isHtml, charset, address } = workerData as PageTask
const source = await decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
const page: PageText = isHtml ? htmlToText(source, address) : { text: source.replaceAll('\r\n', '\n').trim() }
parentPort!.postMessage(page)

/** A mark at the beginning says it first, then the reply, then the page; else it is guessed. */
async function decode(page: Buffer): Promise<string> {
  const mark = /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/.test(page.subarray(0, 3).toString('latin1'))
  const head = page.subarray(0, 2048).toString('latin1')
  const declared = isHtml ? /<meta[^>]+charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head)?.[1] : undefined
  for (const label of mark ? [] : [charset, declared]) {
    try {
      if (label) return new TextDecoder(label).decode(page)
    } catch {
      // No such encoding: the next that is named.
    }
  }
  return new TextDecoder(await detectBufferEncoding(page)).decode(page)
}
