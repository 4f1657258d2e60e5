import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PageText } from '../../content/html/html-text.ts'
import type { PageTask } from '../../content/html/read-page.ts'
import type { Parser } from '../../content/read/parser/parse-file.ts'
import { readChunks } from '../../content/read/stored-parse.ts'
import { createFairSemaphore } from '../../platform/concurrency/fair-semaphore.ts'
import { runInWorker, WorkerFailedError } from '../../platform/host/run-in-worker.ts'
import type { HostPatterns } from '../../platform/outbound/host-patterns.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { formatLocation } from '../../retrieval/retrieval.ts'
import { ToolError } from '../tools/tool.ts'
import { type Fetched, fetchUrl, MOST_BYTES } from './fetch-url.ts'

const WORKER = new URL('../../content/html/read-page.worker.ts', import.meta.url)
/** A page that takes longer to read was made to. */
const READ_MS = 15_000
const READ_HEAP_MB = 512
const READS_AT_ONCE = 2
const TEXT_TYPES = /^(?:text\/|application\/(?:(?:[\w.-]+\+)?(?:json|xml)|javascript|yaml|x-yaml|x-ndjson|toml|sql)$)/
const HTML_TYPES = ['text/html', 'application/xhtml+xml']

export interface Page extends PageText {
  /** Address after redirects. */
  url: string
  isCut: boolean
}

export interface PageReader {
  /** Organizations share the places. */
  organizationId: string
  signal: AbortSignal
}

export interface WebPages {
  /** Fetches what is at an address and gives its text. @throws ToolError */
  open(address: string, reader: PageReader): Promise<Page>
}

export interface WebPagesOptions {
  outbound: Outbound
  parser: Parser
  workDir: string
  isAllowed: HostPatterns
}

/**
 * Pages of the web as text. What comes from the network is read in threads and child processes that are ended when they
 * take too long: two at a time, so that many pages do not take the machine.
 */
export function createWebPages({ outbound, parser, workDir, isAllowed }: WebPagesOptions): WebPages {
  const limit = createFairSemaphore({ atOnce: READS_AT_ONCE, mayExceed: true })

  async function open(address: string, { organizationId, signal }: PageReader): Promise<Page> {
    const fetched = await fetchUrl(address, { outbound, isAllowed, signal })
    const { url, isCut } = fetched
    if (fetched.bytes.length === 0) throw new ToolError(`${url} is empty.`)
    const { title, text } = await limit(
      organizationId,
      () => (isText(fetched) ? readText(fetched, signal) : readFile(fetched, signal)),
      signal,
    )
    if (text === '')
      throw new ToolError(`${url} holds no text. It may be one that only shows in a browser that runs its scripts.`)
    return { url, isCut, title, text }
  }

  async function readText({ url, bytes, charset, mediaType }: Fetched, signal: AbortSignal): Promise<PageText> {
    const isHtml = HTML_TYPES.includes(mediaType) || (mediaType === '' && looksLikeHtml(bytes))
    const data: PageTask = { bytes, isHtml, charset, address: url }
    try {
      return await runInWorker<PageText>({ entry: WORKER, data, timeoutMs: READ_MS, heapMb: READ_HEAP_MB, signal })
    } catch (error) {
      if (!(error instanceof WorkerFailedError)) throw error
      throw new ToolError(`${url} could not be read: it is too large or too tangled.`)
    }
  }

  /** PDF, office documents, pictures: as files that are uploaded. @throws ParseError */
  async function readFile({ url, bytes, isCut }: Fetched, signal: AbortSignal): Promise<PageText> {
    if (isCut)
      throw new ToolError(
        `${url} is larger than ${MOST_BYTES / 1024 ** 2} MB, too large for a file that is read as a whole.`,
      )
    await mkdir(workDir, { recursive: true })
    const folder = await mkdtemp(join(workDir, 'page-'))
    try {
      const path = join(folder, 'page')
      const outputPath = join(folder, 'parse')
      await writeFile(path, bytes)
      const name = new URL(url).pathname.split('/').at(-1) || 'page'
      const { title, stored } = await parser.parse({ path, name, outputPath, signal })
      return { title, text: await readStoredText(stored()) }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  return { open }
}

/** Passages one after the other, with the place of each where it changes. */
async function readStoredText(stored: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: string[] = []
  let before = ''
  for await (const chunks of readChunks(stored)) {
    for (const { text, location } of chunks) {
      const where = formatLocation(location)
      parts.push(where && where !== before ? `(${where})\n${text}` : text)
      before = where
    }
  }
  return parts.join('\n\n')
}

/** The content decides where servers say something else about files. */
function isText({ bytes, mediaType }: Fetched): boolean {
  const head = bytes.subarray(0, 1024).toString('latin1')
  if (/^(?:PK\x03\x04|\{\\rtf|\x89PNG|\xff\xd8\xff|GIF8|\xd0\xcf\x11\xe0)/.test(head) || head.includes('%PDF-'))
    return false
  if (TEXT_TYPES.test(mediaType) || HTML_TYPES.includes(mediaType)) return true
  // Text in UTF-16 begins with its mark.
  return /^(?:\xff\xfe|\xfe\xff)/.test(head) || !head.includes('\0')
}

const looksLikeHtml = (bytes: Buffer): boolean =>
  /^\s*(?:<!--[^>]*-->\s*)*<(?:!doctype\s+html|html|head|body)\b/i.test(bytes.subarray(0, 4096).toString('latin1'))
