import { z } from 'zod'
import { fileAddressOf } from '../../../drive/drive.ts'
import {
  type AttachedFile,
  formatLocation,
  type ReadFrom,
  type RetrievalService,
  readPassages,
} from '../../../retrieval/retrieval.ts'
import { filtersOf } from '../../agent/narrow-folders.ts'
import { dataSection } from '../quote.ts'
import { defineTool, ToolError } from '../tool.ts'

const MOST_WORDS = 3000
const Page = z.number().int().min(1).optional()

/** Reads a document from a place on, piece by piece. */
export const readFile = (retrieval: RetrievalService) =>
  defineTool({
    name: 'read_file',
    description: `Reads a document in order, about ${MOST_WORDS} words at a time. Use it when passages are not enough, for instance to sum a document up. The reply says how to go on reading.`,
    arguments: z.object({
      data_source_id: z.string().describe('Id of the document, as list_files shows it'),
      page: Page.describe('Only this page or slide'),
      last_page: Page.describe('With page: all pages from that one up to this one'),
      start: z
        .number()
        .int()
        .min(0)
        .optional()
        .describe('Where to go on, as the reply before said; 0 is the beginning'),
    }),
    timeoutMs: 30_000,
    isReadOnly: true,
    cites: true,
    async run({ data_source_id, start = 0, page, last_page }, { agent, run, files, citations, signal }) {
      if (last_page && last_page < (page ?? 1)) throw new ToolError('last_page must not be before page.')
      const from: ReadFrom = {
        start,
        page: page ?? (last_page ? 1 : undefined),
        lastPage: last_page,
        maxWords: MOST_WORDS,
      }
      const attached = files.find(({ id }) => id === data_source_id)
      const file = attached
        ? await readAttached(attached, from, signal)
        : await retrieval.readFile(
            run,
            { dataSourceId: data_source_id, folderIds: agent.knowledgeBaseIds, filters: filtersOf(agent), ...from },
            signal,
          )
      if (!file) throw new ToolError('There is no document with this id, or it is not indexed yet.')
      if (file.passages.length === 0) throw new ToolError(nothingThere(from, file.pages))
      const preview = {
        title: `Read ${file.title}${pagesOf(from)}`,
        content: file.passages
          .map(({ text }) => text)
          .join('\n\n')
          .slice(0, 2000),
        content_type: 'text' as const,
      }
      return () => {
        const url = fileAddressOf(file.metadata)
        const pieces = file.passages.map(({ id: key, location, text }) => {
          const number = citations.indexOf({ key, data_source_id, title: file.title, url, location, text })
          return dataSection({ number, from: file.title, at: formatLocation(location) }, text)
        })
        return { content: `${pieces.join('\n')}\n${describeNext(from, file.next)}`, preview }
      }
    },
  })

/** A file that was sent in the chat. */
async function readAttached(file: AttachedFile, from: ReadFrom, signal: AbortSignal) {
  const read = await readPassages([file.chunks], from, signal)
  return {
    ...read,
    title: file.name,
    metadata: '{}',
    // The key under which a search of the same file numbers its passages.
    passages: read.passages.map((passage) => ({ ...passage, id: `${file.id}:${passage.ordinal}` })),
  }
}

function nothingThere({ page }: ReadFrom, pages: number): string {
  if (!page) return 'There is nothing after this place: it was the end of the document.'
  if (pages === 0) return 'This document has no pages. Read it without page and last_page.'
  return page > pages
    ? `The document has no page ${page}; its last one is ${pages}.`
    : `There is no text on page ${page}.`
}

function describeNext({ page, lastPage }: ReadFrom, next: number | undefined): string {
  if (next !== undefined) {
    const samePages = page ? `, page=${page}${lastPage ? `, last_page=${lastPage}` : ''}` : ''
    return `Go on with start=${next}${samePages}.`
  }
  return page ? 'This is the end of what was asked for.' : 'This is the end of the document.'
}

function pagesOf({ page, lastPage }: ReadFrom): string {
  if (!page) return ''
  return lastPage && lastPage > page ? `, pages ${page} to ${lastPage}` : `, page ${page}`
}
