import { createHash } from 'node:crypto'
import { type PageFacts, readDirectives } from '../../content/html/page-facts.ts'
import type { PageTask, ReadPage } from '../../content/html/read-page.ts'
import { WorkerFailedError } from '../../platform/host/run-in-worker.ts'
import { readPageInThread } from '../api/page-in-thread.ts'
import type { SourceFile } from '../source.ts'
import { readAll } from './read-all.ts'
import { isDocumentAddress, pathOf } from './site-addresses.ts'
import { AGENT, SiteFailure, type SiteReply, type Validators } from './site-client.ts'

const LARGEST_PAGE_MB = 10
const LONGEST_TITLE = 200
/** Longest address that a file's metadata hold. */
const LONGEST_FACT = 500

const HTML = ['text/html', 'application/xhtml+xml']
const TEXT = ['text/plain', 'text/markdown', 'text/x-markdown']
const DOCUMENTS =
  /^application\/(?:pdf|rtf|msword|epub\+zip|vnd\.(?:openxmlformats-officedocument|oasis\.opendocument|ms-excel|ms-powerpoint).*)$|^text\/csv$/

/** State of an address, as it is kept from one sync to the next. */
export interface PageState extends Validators {
  kind: 'page' | 'document'
  version: string
  sizeBytes: number
  title?: string | undefined
  isIndexed: boolean
  isFollowed: boolean
  canonical?: string | undefined
  links: string[]
  /** Whether there is nothing to read in it. */
  isEmpty?: boolean
}

export type ContentKind = 'page' | 'document' | 'other'

/** Kind of what a reply holds, by its type and else by its address. */
export function kindOf({ mediaType }: SiteReply, address: string): ContentKind {
  if (HTML.includes(mediaType) || TEXT.includes(mediaType)) return 'page'
  if (DOCUMENTS.test(mediaType)) return 'document'
  if (mediaType === '' || mediaType === 'application/octet-stream')
    return isDocumentAddress(address) ? 'document' : mediaType === '' ? 'page' : 'other'
  return 'other'
}

/** The main text of a page as Markdown, with its state. @throws SiteFailure */
export async function readPage(
  reply: SiteReply,
  address: string,
  signal: AbortSignal,
): Promise<{ state: PageState; content: Buffer }> {
  const { bytes, isCut } = await readAll(reply, address, signal, LARGEST_PAGE_MB * 1024 * 1024)
  if (isCut) throw new SiteFailure(`is larger than ${LARGEST_PAGE_MB} MB, too large for a page`, false)
  const isHtml = !TEXT.includes(reply.mediaType)
  const page = await readSafely({ bytes, isHtml, charset: reply.charset, address, agent: AGENT })
  signal.throwIfAborted()
  const directives = readDirectives(reply.directives)
  const facts: PageFacts = page.facts ?? { isIndexed: true, isFollowed: true, links: [] }
  const title = titleOf(page, address)
  const content = Buffer.from(contentOf(title, page.text))
  const state: PageState = {
    kind: 'page',
    etag: reply.etag,
    modified: reply.modified,
    version: createHash('sha256').update(content).digest('base64url').slice(0, 32),
    sizeBytes: content.length,
    title,
    isIndexed: facts.isIndexed && directives.isIndexed,
    isFollowed: facts.isFollowed && directives.isFollowed,
    canonical: facts.canonical,
    links: facts.links,
    ...(page.text === '' && { isEmpty: true }),
  }
  return { state, content }
}

async function readSafely(task: PageTask): Promise<ReadPage> {
  try {
    return await readPageInThread(task)
  } catch (error) {
    if (!(error instanceof WorkerFailedError)) throw error
    throw new SiteFailure('could not be read: it is too large or too tangled', false, { cause: error })
  }
}

/** State of a document, whose bytes are not read for it. Without a tag or a time it counts as changed each time. */
export function documentState({ etag, modified, sizeBytes = 0, directives }: SiteReply): PageState {
  const version = `${sizeBytes}-${etag ?? modified ?? `unknown-${Date.now()}`}`
  return { kind: 'document', etag, modified, version, sizeBytes, ...readDirectives(directives), links: [] }
}

/** File that an address becomes. */
export function toSourceFile(address: string, { kind, version, sizeBytes, title }: PageState): SourceFile {
  const metadata = address.length <= LONGEST_FACT ? { url: address } : undefined
  const file: SourceFile = { kind: 'file', name: address, version, sizeBytes, ...(metadata && { metadata }) }
  if (kind === 'document') return { ...file, fileName: pathOf(address).at(-1) ?? 'document' }
  const name = title ?? address
  return { ...file, title: name, fileName: `${name.replaceAll(/[/\\]/g, ' ')}.md` }
}

function titleOf({ title, text }: ReadPage, address: string): string {
  const heading = /^#{1,2} (.+)$/m.exec(text.slice(0, 2000))?.[1]
  const { host, pathname } = new URL(address)
  return (title || heading || `${host}${pathname}`).slice(0, LONGEST_TITLE).toWellFormed().trim()
}

/** The title is in the text, so that it can be found, and so that another title is another content. */
const contentOf = (title: string, text: string): string =>
  text.startsWith(`# ${title}\n`) ? `${text}\n` : `# ${title}\n\n${text}\n`
