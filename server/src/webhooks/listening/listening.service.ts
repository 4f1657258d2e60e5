import type { Caller } from '../../access/access.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import type { SecretService } from '../secrets/secrets.service.ts'
import { signedHeaders } from '../secrets/signature.ts'
import { findDelivery } from '../webhooks.store.ts'
import { type Happened, onHappened, onResults, type ResultsDue } from './happened.ts'
import type { WebhookListenEvent } from './listening.schemas.ts'

export interface ListeningOptions extends Pick<KernelParts, 'clock' | 'db' | 'logger' | 'pubsub'> {
  webhookSecrets: Pick<SecretService, 'list'>
  /** Body of a result; undefined for a message that is gone, or whose chat the caller may not see. */
  messageBodyFor(caller: Caller, messageId: string): Promise<object | undefined>
}

export type ListeningService = ReturnType<typeof createListeningService>

/**
 * Events of a workspace, and results of its asynchronous queries, while somebody listens: for programs under
 * development, which the server does not reach. Nothing is stored, so what happens while nobody listens is not told
 * later.
 */
export function createListeningService(options: ListeningOptions) {
  const { db, pubsub, webhookSecrets, clock, logger, messageBodyFor } = options

  async function signed(
    { organizationId, workspaceId }: Caller,
    { id, body }: { id: string; body: string },
  ): Promise<WebhookListenEvent> {
    const valid = await webhookSecrets.list(organizationId, workspaceId)
    const secrets = valid.map(({ secret }) => secret)
    return { type: 'delivery', headers: signedHeaders(secrets, { id, sentAt: clock(), body }), body }
  }

  /** An event as the caller is told it; none if it is of another workspace. */
  async function readEvent(caller: Caller, event: Happened): Promise<WebhookListenEvent[]> {
    const { organizationId, workspaceId } = caller
    if (event.organizationId !== organizationId) return []
    if (event.workspaceId !== null && event.workspaceId !== workspaceId) return []
    const { id, type, timestamp, data } = event
    return [await signed(caller, { id, body: JSON.stringify({ type, timestamp, workspace_id: workspaceId, data }) })]
  }

  /** Results as the caller is told them: those of the workspace, in chats that are not other members' own. */
  async function readResults(caller: Caller, due: ResultsDue): Promise<WebhookListenEvent[]> {
    const { organizationId, workspaceId } = caller
    if (due.organizationId !== organizationId) return []
    const results: WebhookListenEvent[] = []
    for (const id of due.deliveryIds) {
      const delivery = await findDelivery(db, organizationId, id)
      if (delivery?.workspaceId !== workspaceId) continue
      const body = await messageBodyFor(caller, delivery.messageId)
      if (body) results.push(await signed(caller, { id, body: JSON.stringify(body) }))
    }
    return results
  }

  return {
    /** Calls back with each event and result, in the order in which they happen. @returns a function that ends it */
    listen(caller: Caller, send: (event: WebhookListenEvent) => void): () => void {
      let last = Promise.resolve()
      const tell = (read: () => Promise<WebhookListenEvent[]>) => {
        const sendAll = async () => (await read()).forEach(send)
        last = last.then(sendAll).catch((error) => logger.warn({ err: error }, 'an event did not reach a listener'))
      }
      const ends = [
        onHappened(pubsub, (event) => tell(() => readEvent(caller, event))),
        onResults(pubsub, (due) => tell(() => readResults(caller, due))),
      ]
      return () => {
        for (const end of ends) end()
      }
    },
  }
}
