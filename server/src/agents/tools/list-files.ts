import { z } from 'zod'
import type { RetrievalService } from '../../retrieval/retrieval.service.ts'
import { defineTool } from './tool.ts'

const MOST = 200

/** Shows what documents the agent has. */
export const listFiles = (retrieval: RetrievalService) =>
  defineTool({
    name: 'list_files',
    description:
      'Lists the documents that can be searched and read, with their ids, newest first. Use it to see what there is, not to find an answer.',
    arguments: z.object({
      name_contains: z.string().max(256).optional().describe('Only documents whose title contains this'),
    }),
    timeoutMs: 10_000,
    async run({ name_contains }, { agent }) {
      const { files, total } = await retrieval.listFiles(agent.organizationId, {
        folderIds: agent.knowledgeBaseIds,
        nameContains: name_contains,
        limit: MOST,
      })
      const lines = files.map(
        ({ id, title, status }) => `- ${title} (id ${id}${status === 'successful' ? '' : `, ${status}`})`,
      )
      if (total > files.length) lines.push(`… and ${total - files.length} more`)
      const content = lines.join('\n') || 'There are no documents.'
      return { content, preview: { title: `${total} files`, content, content_type: 'markdown' } }
    },
  })
