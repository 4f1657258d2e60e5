import { z } from 'zod'
import { placeOf } from '../../retrieval/place-of.ts'
import type { RetrievalService } from '../../retrieval/retrieval.service.ts'
import { quoted } from './quote.ts'
import { defineTool, ToolError } from './tool.ts'

const MOST_WORDS = 3000

/** Reads a document from a place on, piece by piece. */
export const readFile = (retrieval: RetrievalService) =>
  defineTool({
    name: 'read_file',
    description: `Reads a document in order, about ${MOST_WORDS} words at a time. Use it when passages are not enough, for instance to sum a document up. The reply says how to go on reading.`,
    arguments: z.object({
      data_source_id: z.string().describe('Id of the document, as list_files shows it'),
      start: z
        .number()
        .int()
        .min(0)
        .optional()
        .describe('Where to go on, as the reply before said; 0 is the beginning'),
      page: z.number().int().min(1).optional().describe('Read only this page'),
    }),
    timeoutMs: 30_000,
    async run({ data_source_id, start = 0, page }, { agent, citations, signal }) {
      const file = await retrieval.readFile(
        agent.organizationId,
        { dataSourceId: data_source_id, folderIds: agent.knowledgeBaseIds, start, page, maxWords: MOST_WORDS },
        signal,
      )
      if (!file) throw new ToolError('There is no document with this id, or it is not indexed yet.')
      const pieces = file.passages.map((passage) => {
        const index = citations.indexOf({
          key: passage.id,
          data_source_id,
          title: file.title,
          location: passage.location,
          text: passage.text,
        })
        const place = placeOf(passage.location)
        return `<passage number="${index}"${place ? ` at=${JSON.stringify(place)}` : ''}>\n${quoted(passage.text)}\n</passage>`
      })
      const next = file.next === undefined ? 'This is the end of the document.' : `Go on with start=${file.next}.`
      return {
        content: `"${file.title}"\n${pieces.join('\n')}\n${next}`,
        preview: {
          title: `Read ${file.title}`,
          content: file.passages
            .map(({ text }) => text)
            .join('\n\n')
            .slice(0, 2000),
          content_type: 'text',
        },
      }
    },
  })
