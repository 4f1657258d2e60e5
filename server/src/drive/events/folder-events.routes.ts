import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { reach, streamsOf } from '../../access/access.ts'
import type { OpenStreams } from '../../platform/cluster/limits/open-streams.ts'
import { failures } from '../../platform/http/failures.ts'
import { openEventStream } from '../../platform/http/replies/event-stream.ts'
import { FolderParams } from '../folders/folders.schemas.ts'
import { FolderEvent } from './file-events.schemas.ts'
import type { FolderEvents } from './folder-events.service.ts'

export interface FolderEventRoutesOptions {
  folderEvents: FolderEvents
  openStreams: OpenStreams
}

export const folderEventRoutes =
  ({ folderEvents, openStreams }: FolderEventRoutesOptions): FastifyPluginAsyncZod =>
  async (app) => {
    const open = new Set<() => void>()
    // A stream without an end would hold up the end of the server.
    app.addHook('preClose', async () => {
      for (const end of open) end()
    })

    app.get(
      '/knowledge-bases/:knowledge_base_id/events',
      {
        config: { access: { who: 'caller', on: [reach.folder('read')] } },
        schema: {
          operationId: 'knowledgeBases.follow',
          tags: ['Drive'],
          summary: 'A stream of what happens to the files of a folder, which resumes after the Last-Event-ID',
          params: FolderParams,
          response: {
            200: {
              description: 'Server-Sent Events, for as long as the caller may read the folder; then [DONE]',
              content: { 'text/event-stream': { schema: FolderEvent } },
            },
            ...failures(401, 403, 404, 429),
          },
        },
      },
      async (request, reply) => {
        const { caller, params, headers } = request
        const leave = await openStreams.open(streamsOf(caller))
        let stop = () => {}
        try {
          const after = numberOf(headers['last-event-id'])
          const follow = await folderEvents.prepare(caller, params.knowledge_base_id, after)
          const stream = openEventStream(reply, () => {
            leave()
            stop()
          })
          const end = () => stream.end()
          open.add(end)
          const unfollow = follow({
            after,
            end,
            readmit: async () => {
              await request.readmit()
              return request.caller
            },
            send: (event) =>
              stream.write(`${event.id === null ? '' : `id: ${event.id}\n`}data: ${JSON.stringify(event)}\n\n`),
          })
          stop = () => {
            unfollow()
            open.delete(end)
          }
        } catch (error) {
          leave()
          throw error
        }
        return reply
      },
    )
  }

/** Anything else begins from now on. */
const numberOf = (header: string | string[] | undefined): number | undefined =>
  typeof header === 'string' && /^\d{1,16}$/.test(header) ? Number(header) : undefined
