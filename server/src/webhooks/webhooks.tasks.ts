import type { Db, Tx, Writes } from '../db.ts'
import { type Clock, isoNow } from '../platform/clock.ts'
import { takeAdvisoryLock } from '../platform/database/statements/advisory-locks.ts'
import type { NewId } from '../platform/ids.ts'
import type { Outbound } from '../platform/outbound/outbound.ts'
import type { Queue } from '../queue/queue.ts'
import type { GivenUpHandlers } from '../queue/troubles/given-up.ts'
import type { TaskHandlers } from '../queue/worker.ts'
import { type Attempt, attemptDelivery } from './deliveries/attempt.ts'
import { insertAttempt } from './deliveries/attempts.store.ts'
import { createReceiverLimits } from './deliveries/receiver-limits.ts'
import { nextDelayMs } from './deliveries/schedule.ts'
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

export interface WebhookTasksOptions {
  db: Db
  writes: Writes
  queue: Queue
  outbound: Outbound
  secrets: SecretService
  messageBody: MessageBody
  newId: NewId
  clock: Clock
  metrics: WebhookMetrics
  /** How long a receiver may take. */
  timeoutMs: number
  /** Pauses before each retry. */
  retryDelaysMs: number[]
}

const GONE = 410
const GIVEN_UP = 'The server failed every time it sent this; send it again with redeliver'
const MESSAGE_DELETED = 'The message was deleted before its result was delivered'

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
      const attempt = await this.#send(delivery, signal)
      this.#receivers.leave(receiver)
      if (attempt) metrics.attempted(attempt)
      await this.#commitIn(receiver, async (tx) => {
        await this.#record(tx, delivery, attempt)
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

  async #send(delivery: DeliveryRecord, signal: AbortSignal): Promise<Attempt | undefined> {
    const { messageBody, secrets, outbound, clock, timeoutMs } = this.#options
    const { organizationId, workspaceId } = delivery
    const body = await messageBody(organizationId, delivery.messageId)
    if (!body) return undefined
    const valid = await secrets.list(organizationId, workspaceId)
    return attemptDelivery(
      { outbound, clock },
      {
        deliveryId: delivery.id,
        url: delivery.url,
        body: JSON.stringify(body),
        secrets: valid.map(({ secret }) => secret),
        timeoutMs,
        signal,
      },
    )
  }

  async #callNext(tx: Tx, { organizationId, origin }: DeliveryRecord): Promise<void> {
    const next = await unparkOldest(tx, organizationId, origin)
    if (next)
      await this.#options.queue.enqueue(tx, organizationId, 'webhooks.deliver', {
        deliveryId: next.id,
        turn: next.fence,
      })
  }

  /** Writes down how the attempt went and what comes of the delivery; without an attempt, its message is gone. */
  async #record(tx: Tx, sent: DeliveryRecord, attempt: Attempt | undefined): Promise<void> {
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
    }
    const outcome = isDue(delivery, sent.fence) ? this.#outcomeOf(delivery, attempt) : {}
    const { delayMs, ...change } = outcome
    await updateDelivery(tx, organizationId, id, { ...change, attemptCount, updatedAt: isoNow(clock) })
    if (delayMs === undefined || change.fence === undefined) return
    await queue.enqueue(tx, organizationId, 'webhooks.deliver', { deliveryId: id, turn: change.fence }, { delayMs })
  }

  #outcomeOf(delivery: DeliveryRecord, attempt: Attempt | undefined): DeliveryChange & { delayMs?: number } {
    const { clock, retryDelaysMs } = this.#options
    if (!attempt) return failed(MESSAGE_DELETED)
    const { status, error } = attempt
    const attemptsSinceDue = delivery.attemptsSinceDue + 1
    if (status !== null && status >= 200 && status < 300)
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

const receiverKey = ({ organizationId, origin }: DeliveryRecord): string => `${organizationId} ${origin}`

const failed = (reason: string) => ({ status: 'failed', errorMessage: reason, nextAttemptAt: null }) as const

const isDue = ({ status, fence }: DeliveryRecord, asked: number): boolean => status === 'pending' && fence === asked
