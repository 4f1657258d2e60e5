import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { reach } from '../../access/access.ts'
import type { OpenStreams } from '../../platform/cluster/limits/open-streams.ts'
import { failures } from '../../platform/http/failures.ts'
import { openEventStream } from '../../platform/http/replies/event-stream.ts'
import { WorkspacePath } from '../webhooks.schemas.ts'
import { WebhookListenEvent } from './listening.schemas.ts'
import type { ListeningService } from './listening.service.ts'

/** Interval of pings, the same as in the stream of an answer. */
const PING_MS = 5_000

export interface ListeningRoutesOptions {
  listening: ListeningService
  openStreams: OpenStreams
}

export const listeningRoutes =
  ({ listening, openStreams }: ListeningRoutesOptions): FastifyPluginAsyncZod =>
  async (app) => {
    const open = new Set<() => void>()
    // A stream without an end would hold up the end of the server.
    app.addHook('preClose', async () => {
      for (const end of open) end()
    })

    app.get(
      '/workspaces/:workspace_id/webhook-events',
      {
        config: { access: { who: 'admin', on: [reach.workspace] } },
        schema: {
          operationId: 'webhooks.listen',
          tags: ['Webhooks'],
          summary:
            'A stream of the events and results of this workspace from now on, signed with its secret; for development',
          params: WorkspacePath,
          response: {
            200: {
              description: 'Server-Sent Events, for as long as the caller may listen; then [DONE]',
              content: { 'text/event-stream': { schema: WebhookListenEvent } },
            },
            ...failures(401, 403, 429),
          },
        },
      },
      async (request, reply) => {
        const leave = await openStreams.open(request.caller.keyId)
        let stop = () => {}
        const stream = openEventStream(reply, () => {
          leave()
          stop()
        })
        const send = (event: WebhookListenEvent) => stream.write(`data: ${JSON.stringify(event)}\n\n`)
        const end = () => stream.end()
        const unlisten = listening.listen(request.caller, send)
        const pingOrEnd = () => {
          // Refusals end the stream: the caller learns why when it connects again.
          request.readmit().then(() => send({ type: 'ping' }), end)
        }
        const ping = setInterval(pingOrEnd, PING_MS)
        open.add(end)
        stop = () => {
          clearInterval(ping)
          unlisten()
          open.delete(end)
        }
        send({ type: 'ping' })
        return reply
      },
    )
  }
