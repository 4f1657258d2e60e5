import type { Tx } from '../db.ts'
import type { KernelParts } from '../kernel-parts.ts'
import { isoNow } from '../platform/clock.ts'
import { takeAdvisoryLock } from '../platform/database/statements/advisory-locks.ts'
import type { GivenUpHandlers } from '../queue/troubles/given-up.ts'
import type { TaskHandlers } from '../queue/worker.ts'
import { type Attempt, attemptDelivery } from './deliveries/attempt.ts'
import { insertAttempt } from './deliveries/attempts.store.ts'
import { createReceiverLimits } from './deliveries/receiver-limits.ts'
import { nextDelayMs } from './deliveries/schedule.ts'
import { noteAttempt } from './endpoints/endpoint-health.ts'
import type { EndpointSecrets } from './endpoints/endpoint-secrets.ts'
import { ENDPOINT_DELETED } from './endpoints/endpoints.service.ts'
import { findEndpoint } from './endpoints/endpoints.store.ts'
import type { SecretService } from './secrets/secrets.service.ts'
import type { WebhookMetrics } from './webhooks.metrics.ts'
import {
  type DeliveryChange,
  type DeliveryRecord,
  type FencedDelivery,
  findDelivery,
  holdDelivery,
  parkDelivery,
  unparkOldest,
  updateDelivery,
} from './webhooks.store.ts'

/** The result of a message as it is now, for the body of a webhook; undefined when the message is gone. */
type MessageBody = (organizationId: string, messageId: string) => Promise<object | undefined>

export interface WebhookTasksOptions
  extends Pick<KernelParts, 'clock' | 'db' | 'newId' | 'outbound' | 'queue' | 'writes'> {
  secrets: SecretService
  endpointSecrets: EndpointSecrets
  messageBody: MessageBody
  metrics: WebhookMetrics
  /** How long a receiver may take. */
  timeoutMs: number
  /** Pauses before each retry. */
  retryDelaysMs: number[]
}

const GONE = 410
const GIVEN_UP = 'The server failed every time it sent this; send it again with redeliver'
const MESSAGE_DELETED = 'The message was deleted before its result was delivered'
const ENDPOINT_OFF = 'The endpoint is switched off'

/** A delivery as it is sent, or the reason why it cannot be. */
type Sendable = { url: string; body: string; secrets: string[] } | { problem: string }

export function webhookTasks(options: WebhookTasksOptions): {
  handlers: Pick<TaskHandlers, 'webhooks.deliver'>
  givenUp: Pick<GivenUpHandlers, 'webhooks.deliver'>
} {
  const deliverer = new WebhookDeliverer(options)
  return {
    handlers: {
      'webhooks.deliver': ({ deliveryId, turn: fence }, { organizationId, signal }) =>
        deliverer.deliver(organizationId, { id: deliveryId, fence }, signal),
    },
    givenUp: {
      'webhooks.deliver': ({ deliveryId, turn: fence }, { organizationId }) =>
        deliverer.giveUp(organizationId, { id: deliveryId, fence }),
    },
  }
}

class WebhookDeliverer {
  readonly #options: WebhookTasksOptions
  readonly #receivers = createReceiverLimits()

  constructor(options: WebhookTasksOptions) {
    this.#options = options
  }

  /**
   * Makes one attempt. A delivery to a receiver at its limit is parked and holds no worker; the end of an attempt at
   * that receiver enqueues the delivery that was parked first. So while anything is parked, a task is running that will
   * enqueue it.
   */
  async deliver(organizationId: string, { id, fence }: FencedDelivery, signal: AbortSignal): Promise<void> {
    const { db, metrics } = this.#options
    const delivery = await findDelivery(db, organizationId, id)
    if (!delivery) return
    const receiver = receiverKey(delivery)
    if (!isDue(delivery, fence)) return this.#commitIn(receiver, (tx) => this.#callNext(tx, delivery))
    while (!this.#receivers.enter(receiver)) {
      // Asked again in the transaction: an attempt that ends leaves the receiver before its own transaction, which
      // wakes what it finds.
      const isParked = await this.#commitIn(receiver, async (tx) =>
        this.#receivers.isFull(receiver) ? await parkDelivery(tx, organizationId, delivery) : undefined,
      )
      if (isParked !== undefined) return
    }
    try {
      const sendable = await this.#sendable(delivery)
      const sent = 'problem' in sendable ? sendable : await this.#send(delivery, sendable, signal)
      this.#receivers.leave(receiver)
      if (!('problem' in sent)) metrics.attempted(sent)
      await this.#commitIn(receiver, async (tx) => {
        await this.#record(tx, delivery, sent)
        await this.#callNext(tx, delivery)
      })
    } catch (error) {
      this.#receivers.leave(receiver)
      throw error
    }
  }

  /** Receivers say what is wrong in an attempt's record; here it is the server. Those parked behind it are delivered. */
  async giveUp(organizationId: string, { id, fence }: FencedDelivery): Promise<void> {
    const { db, clock } = this.#options
    const delivery = await findDelivery(db, organizationId, id)
    if (!delivery) return
    await this.#commitIn(receiverKey(delivery), async (tx) => {
      const now = await holdDelivery(tx, organizationId, id)
      if (now && isDue(now, fence))
        await updateDelivery(tx, organizationId, id, { ...failed(GIVEN_UP), updatedAt: isoNow(clock) })
      await this.#callNext(tx, delivery)
    })
  }

  /** Parking and waking run in one transaction each, so neither misses the other. */
  #commitIn<R>(receiver: string, write: (tx: Tx) => Promise<R>): Promise<R> {
    return this.#options.writes.commit(async (tx) => {
      await takeAdvisoryLock(tx, 'webhook lane', receiver)
      return write(tx)
    })
  }

  async #sendable({
    organizationId,
    workspaceId,
    messageId,
    endpointId,
    eventType,
    url,
    body,
  }: DeliveryRecord): Promise<Sendable> {
    const { db, messageBody, secrets, endpointSecrets, clock } = this.#options
    if (endpointId !== null) {
      const endpoint = await findEndpoint(db, organizationId, endpointId)
      if (!endpoint) return { problem: ENDPOINT_DELETED }
      if (endpoint.disabledAt !== null && eventType !== 'webhook.test') return { problem: ENDPOINT_OFF }
      // The endpoint's URL may have been mended since.
      return {
        url: endpoint.url,
        body: body!,
        secrets: await endpointSecrets.open(endpoint, isoNow(clock)),
      }
    }
    const message = await messageBody(organizationId, messageId)
    if (!message) return { problem: MESSAGE_DELETED }
    const valid = await secrets.list(organizationId, workspaceId)
    return { url, body: JSON.stringify(message), secrets: valid.map(({ secret }) => secret) }
  }

  #send(delivery: DeliveryRecord, sendable: Exclude<Sendable, { problem: string }>, signal: AbortSignal) {
    const { outbound, clock, timeoutMs } = this.#options
    return attemptDelivery({ outbound, clock }, { deliveryId: delivery.id, ...sendable, timeoutMs, signal })
  }

  async #callNext(tx: Tx, { organizationId, origin }: DeliveryRecord): Promise<void> {
    const next = await unparkOldest(tx, organizationId, origin)
    if (next)
      await this.#options.queue.enqueue(tx, organizationId, 'webhooks.deliver', {
        deliveryId: next.id,
        turn: next.fence,
      })
  }

  /** Writes down how the attempt went and what comes of the delivery, or why there was none. */
  async #record(tx: Tx, sent: DeliveryRecord, result: Attempt | { problem: string }): Promise<void> {
    const attempt = 'problem' in result ? undefined : result
    const { newId, clock, queue } = this.#options
    const { organizationId, id } = sent
    // Asked for again during the attempt: the attempt counts, but another one is scheduled already.
    const delivery = await holdDelivery(tx, organizationId, id)
    if (!delivery) return
    const attemptCount = delivery.attemptCount + (attempt ? 1 : 0)
    if (attempt) {
      const { startedAt, durationMs, status, reply, error } = attempt
      const logged = { number: attemptCount, startedAt, durationMs, status, reply, error }
      await insertAttempt(tx, organizationId, { id: newId(), deliveryId: id, ...logged })
      if (delivery.endpointId !== null)
        await noteAttempt(
          tx,
          { organizationId, id: delivery.endpointId },
          { arrived: hasArrived(attempt), status, now: clock() },
        )
    }
    const outcome = isDue(delivery, sent.fence) ? this.#outcomeOf(delivery, result) : {}
    const { delayMs, ...change } = outcome
    await updateDelivery(tx, organizationId, id, { ...change, attemptCount, updatedAt: isoNow(clock) })
    if (delayMs === undefined || change.fence === undefined) return
    await queue.enqueue(tx, organizationId, 'webhooks.deliver', { deliveryId: id, turn: change.fence }, { delayMs })
  }

  #outcomeOf(delivery: DeliveryRecord, attempt: Attempt | { problem: string }): DeliveryChange & { delayMs?: number } {
    const { clock, retryDelaysMs } = this.#options
    if ('problem' in attempt) return failed(attempt.problem)
    const { status, error } = attempt
    const attemptsSinceDue = delivery.attemptsSinceDue + 1
    if (hasArrived(attempt))
      return {
        status: 'delivered',
        errorMessage: null,
        attemptsSinceDue,
        nextAttemptAt: null,
        deliveredAt: isoNow(clock),
      }
    const reason = error ?? `The receiver answered ${status}`
    const delayMs =
      status === GONE
        ? undefined
        : nextDelayMs(retryDelaysMs, { attempts: attemptsSinceDue, retryAfterMs: attempt.retryAfterMs })
    if (delayMs === undefined) return { ...failed(reason), attemptsSinceDue }
    const nextAttemptAt = new Date(clock().getTime() + delayMs).toISOString()
    return { errorMessage: reason, attemptsSinceDue, fence: delivery.fence + 1, nextAttemptAt, delayMs }
  }
}

const hasArrived = ({ status }: Attempt): boolean => status !== null && status >= 200 && status < 300

const receiverKey = ({ organizationId, origin }: DeliveryRecord): string => `${organizationId} ${origin}`

const failed = (reason: string) => ({ status: 'failed', errorMessage: reason, nextAttemptAt: null }) as const

const isDue = ({ status, fence }: DeliveryRecord, asked: number): boolean => status === 'pending' && fence === asked
