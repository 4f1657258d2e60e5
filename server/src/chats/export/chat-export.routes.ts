import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { reach } from '../../access/access.ts'
import { failures } from '../../platform/http/failures.ts'
import { attachment } from '../../platform/http/replies/attachment.ts'
import { ChatPath } from '../chat/chats.schemas.ts'
import { type ChatExport, EXPORTS } from './chat-export.ts'

const ExportQuery = z.object({
  format: z.enum(['md', 'pdf', 'json']).meta({
    description: 'md and pdf: a document to read; json: the chat with its messages, as this API has them',
  }),
})

export const chatExportRoutes =
  ({ exportChat }: { exportChat: ChatExport }): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/agents/:agent_id/chats/:chat_id/export',
      {
        config: { access: { who: 'caller', on: [reach.agent('use'), reach.part('chat')], virtualUsers: 'keys' } },
        schema: {
          operationId: 'chats.export',
          tags: ['Chats'],
          summary: 'Download a chat as Markdown, PDF or JSON',
          params: ChatPath,
          querystring: ExportQuery,
          response: {
            200: {
              description: 'The file',
              content: {
                'text/markdown': { schema: z.file() },
                'application/pdf': { schema: z.file() },
                'application/json': { schema: z.file() },
              },
            },
            ...failures(400, 401, 404),
          },
        },
      },
      async ({ caller, params, query: { format }, signal }, reply) => {
        const { title, content } = await exportChat(caller, params, format, signal)
        return reply
          .type(EXPORTS[format])
          .header('content-disposition', attachment(`${title.replaceAll(/[\\/:*?"<>|]+/g, '-')}.${format}`))
          .header('x-content-type-options', 'nosniff')
          .send((typeof content === 'string' ? Buffer.from(content) : content) as never)
      },
    )
  }
