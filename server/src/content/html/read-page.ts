import { detectBufferEncoding } from '../read/text/charset.ts'
import { htmlToText, type PageText } from './html-text.ts'
import { type PageFacts, readPageFacts } from './page-facts.ts'

/** A page as it came over the network. */
export interface PageTask {
  bytes: Uint8Array
  isHtml: boolean
  /** Charset that the reply named. */
  charset: string | undefined
  address: string
  /** Name under which a page may address its reader: facts are read, too. */
  agent?: string
}

export interface ReadPage extends PageText {
  /** Facts about the page; only for HTML, and if asked for. */
  facts?: PageFacts
}

/** Reads a page: its text, and where it is asked for what it says to programs. For threads: it may take long. */
export async function readPage(task: PageTask): Promise<ReadPage> {
  const { bytes, isHtml, address, agent } = task
  const source = await decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), task)
  if (!isHtml) return { text: source.replaceAll('\r\n', '\n').trim() }
  return {
    ...htmlToText(source, address),
    ...(agent !== undefined && { facts: readPageFacts(source, address, agent) }),
  }
}

/** A mark at the beginning says it first, then the reply, then the page; else it is guessed. */
async function decode(page: Buffer, { isHtml, charset }: PageTask): Promise<string> {
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
