import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { CitationBook } from '../loop/citations.ts'
import type { Page, PageReader, WebPages } from '../web-pages/web-pages.ts'
import { dataSection } from './quote.ts'
import { defineTool, ToolError } from './tool.ts'

const MOST_WORDS = 3000
/** Limit for text with few spaces, such as data or Chinese. */
const MOST_CHARACTERS = 24_000
const KEPT_PAGES = 5

export interface FetchPageOptions {
  /** Whether a person has to allow hosts that nobody named, in runs that read folders. */
  asksForHosts: boolean
}

/** Opens a page of the web. */
export const fetchPage = (pages: WebPages, { asksForHosts }: FetchPageOptions) => {
  /** Pages that runs are in the middle of, gone with the run. */
  const open = new WeakMap<CitationBook, LRUCache<string, Page>>()

  async function readPage(url: string, start: number, run: CitationBook, reader: PageReader): Promise<Page> {
    const known = open.get(run) ?? new LRUCache<string, Page>({ max: KEPT_PAGES })
    open.set(run, known)
    const page = (start > 0 && known.get(url)) || (await pages.open(url, reader))
    known.set(url, page)
    return page
  }

  return defineTool({
    name: 'fetch_page',
    description: `Opens a web page, or a file on the web (PDF, office document, text, JSON), and returns its text, about ${MOST_WORDS} words at a time. It sees what a visitor without a login sees, and no scripts run. The reply says how to go on reading. Name the page's address in your answer when you rely on it.`,
    arguments: z.object({
      url: z.string().min(1).max(2048).describe('The whole address, with https:// or http://'),
      start: z
        .number()
        .int()
        .min(0)
        .optional()
        .describe('Where to go on, as the reply before said; 0 is the beginning'),
    }),
    timeoutMs: 90_000,
    isReadOnly: true,
    asksFor({ url, start = 0 }, { agent, citations, readsFolders, isNamed }) {
      const host = URL.parse(url.trim())?.hostname
      if (!asksForHosts || !readsFolders || !host || isNamed(host)) return undefined
      // An open page was allowed before, and reading its next part sends no request.
      if (start > 0 && open.get(citations)?.has(url.trim())) return undefined
      return `May ${agent.name} open a page of ${host}? Nobody named this host, and the address may carry what was read in folders.`
    },
    async run({ url, start = 0 }, { citations, run: { organizationId }, signal }) {
      const page = await readPage(url.trim(), start, citations, { organizationId, signal })
      if (start > 0 && start >= page.text.length)
        throw new ToolError(`The text of the page ends at ${page.text.length}: there is nothing from ${start} on.`)
      const end = start + lengthOfPiece(page.text.slice(start, start + MOST_CHARACTERS), page.text.length - start)
      const text = page.text.slice(start, end)
      const next =
        end < page.text.length
          ? `Go on with start=${end} (of ${page.text.length} characters).`
          : page.isCut
            ? 'This is where the text was cut: the page is too large to be read to its end.'
            : 'This is the end of the page.'
      return {
        content: `${dataSection({ url: page.url, title: page.title }, text)}\n${next}`,
        preview: {
          title: `Read ${page.title?.slice(0, 200) || new URL(page.url).host}`,
          content: `${page.url}\n\n${text.slice(0, 2000)}`,
          content_type: 'text',
        },
      }
    },
  })
}

/** Length of the next piece: as many words as are given at once, up to the end of a line or at least of a word. */
function lengthOfPiece(text: string, left: number): number {
  let end = text.length
  let words = 0
  for (const { index } of text.matchAll(/\s+/g)) {
    if (++words < MOST_WORDS) continue
    end = index
    break
  }
  if (end === left) return end
  const line = text.lastIndexOf('\n', end)
  if (line > end * 0.7) return line + 1
  const word = text.lastIndexOf(' ', end)
  return word > end * 0.7 ? word + 1 : end
}
