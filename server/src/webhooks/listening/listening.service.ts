import type { Caller } from '../../access/access.ts'
import type { Clock } from '../../platform/clock.ts'
import type { PubSub } from '../../platform/cluster/pubsub/pubsub.ts'
import type { Logger } from '../../platform/telemetry/logger.ts'
import type { SecretService } from '../secrets/secrets.service.ts'
import { signedHeaders } from '../secrets/signature.ts'
import { type Happened, onHappened } from './happened.ts'
import type { WebhookListenEvent } from './listening.schemas.ts'

export interface ListeningOptions {
  pubsub: PubSub
  webhookSecrets: Pick<SecretService, 'list'>
  clock: Clock
  logger: Logger
}

export type ListeningService = ReturnType<typeof createListeningService>

/**
 * Events of a workspace while somebody listens: for programs under development, which no endpoint reaches. Nothing is
 * stored, so what happens while nobody listens is not told later.
 */
export function createListeningService({ pubsub, webhookSecrets, clock, logger }: ListeningOptions) {
  async function signed({ organizationId, workspaceId }: Caller, event: Happened): Promise<WebhookListenEvent> {
    const { id, type, timestamp, data } = event
    const body = JSON.stringify({ type, timestamp, workspace_id: workspaceId, data })
    const valid = await webhookSecrets.list(organizationId, workspaceId)
    const secrets = valid.map(({ secret }) => secret)
    return { type: 'delivery', headers: signedHeaders(secrets, { id, sentAt: clock(), body }), body }
  }

  return {
    /** Calls back with each event, in the order in which they happen. @returns a function that ends it */
    listen(caller: Caller, send: (event: WebhookListenEvent) => void): () => void {
      let last = Promise.resolve()
      return onHappened(pubsub, (event) => {
        if (event.organizationId !== caller.organizationId) return
        if (event.workspaceId !== null && event.workspaceId !== caller.workspaceId) return
        const tell = async () => send(await signed(caller, event))
        last = last.then(tell).catch((error) => logger.warn({ err: error }, 'an event did not reach a listener'))
      })
    },
  }
}
