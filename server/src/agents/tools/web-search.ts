import { z } from 'zod'
import { RECENT } from '../web-search/search-providers.ts'
import type { WebSearchService } from '../web-search/web-search.service.ts'
import { dataSection } from './quote.ts'
import { defineTool } from './tool.ts'

const MOST_RESULTS = 10
const FEW_RESULTS = 5

/** Searches the web with the provider of the agent's workspace. */
export const webSearch = (search: Pick<WebSearchService, 'search'>) =>
  defineTool({
    name: 'web_search',
    description:
      'Searches the web and returns titles, addresses and short excerpts of pages. Ask in a few words, as in a search engine, and put nothing into the query that is not meant for the public. Excerpts may be out of date or cut: where it matters, open the page. Name the title and the address of the pages that you rely on.',
    arguments: z.strictObject({
      query: z.string().trim().min(1).max(400).describe('What to search for'),
      count: z
        .number()
        .int()
        .min(1)
        .max(MOST_RESULTS)
        .optional()
        .describe(`Number of results, ${FEW_RESULTS} unless given`),
      recent: z.enum(RECENT).optional().describe('Only pages of the last day, week, month or year'),
    }),
    // One attempt, a pause and another one.
    timeoutMs: 40_000,
    isReadOnly: true,
    async run({ query, count = FEW_RESULTS, recent }, { agent, signal }) {
      const found = await search.search(agent, { query, count, ...(recent && { recent }) }, signal)
      return {
        content:
          found.length === 0
            ? 'Nothing was found. Try other or fewer words.'
            : found
                .map(({ title, url, snippet }, index) =>
                  dataSection({ from: 'web_search', result: index + 1, title }, `${url}\n${snippet}`),
                )
                .join('\n'),
        preview: {
          title: `Searched the web for “${query.slice(0, 200)}”`,
          content:
            found.map(({ title, url, snippet }) => `${title}\n${url}\n${snippet}`).join('\n\n') || 'Nothing found',
          content_type: 'text',
        },
        data: found,
      }
    },
  })
