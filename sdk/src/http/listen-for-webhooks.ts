import type { WebhookDelivered, WebhookListenEvent } from '../types.ts'
import { DocentError } from './errors.ts'
import { BrokenStreamError, readEvents } from './event-stream.ts'
import type { CallOptions, Transport } from './transport.ts'

export interface ListenOptions extends CallOptions {
  /** Called when a connection is open: from now on events come. */
  onOpen?: () => void
}

/** Listens, and connects again whenever the connection ends. */
export async function* listenForWebhooks(
  transport: Transport,
  workspaceId: string,
  { onOpen, ...options }: ListenOptions,
): AsyncGenerator<WebhookDelivered> {
  for (;;) {
    const response = await transport.open('GET /workspaces/{workspace_id}/webhook-events', [workspaceId], options)
    let isOpen = false
    try {
      for await (const event of readEvents<WebhookListenEvent>(response)) {
        if (!isOpen) onOpen?.()
        isOpen = true
        if (event.type === 'delivery') yield event
      }
    } catch (error) {
      options.signal?.throwIfAborted()
      if (!(error instanceof BrokenStreamError)) throw error
    }
    if (!isOpen) throw new DocentError('The stream ended before it began', { status: 0, code: 'CONNECTION_FAILED' })
  }
}
