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
  type DeliveryRow,
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
      'webhooks.deliver': ({ deliveryId, turn }, { organizationId, signal }) =>
        deliverer.deliver(organizationId, deliveryId, turn, signal),
    },
    givenUp: {
      'webhooks.deliver': ({ deliveryId, turn }, { organizationId }) =>
        deliverer.giveUp(organizationId, deliveryId, turn),
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
  async deliver(organizationId: string, deliveryId: string, turn: number, signal: AbortSignal): Promise<void> {
    const { db, metrics } = this.#options
    const delivery = await findDelivery(db, organizationId, deliveryId)
    if (!delivery) return
    const receiver = receiverKey(delivery)
    if (!isDue(delivery, turn)) return this.#commitIn(receiver, (tx) => this.#callNext(tx, delivery))
    while (!this.#receivers.enter(receiver)) {
      // Asked again in the transaction: those that leave a lane do so before their own, which calls up what it finds.
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
  async giveUp(organizationId: string, deliveryId: string, turn: number): Promise<void> {
    const { db, clock } = this.#options
    const delivery = await findDelivery(db, organizationId, deliveryId)
    if (!delivery) return
    await this.#commitIn(receiverKey(delivery), async (tx) => {
      const now = await holdDelivery(tx, organizationId, deliveryId)
      if (now && isDue(now, turn))
        await updateDelivery(tx, organizationId, deliveryId, { ...failed(GIVEN_UP), updated_at: isoNow(clock) })
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

  async #send(delivery: DeliveryRow, signal: AbortSignal): Promise<Attempt | undefined> {
    const { messageBody, secrets, outbound, clock, timeoutMs } = this.#options
    const { organization_id: organizationId, workspace_id: workspaceId } = delivery
    const body = await messageBody(organizationId, delivery.message_id)
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

  async #callNext(tx: Tx, { organization_id: organizationId, origin }: DeliveryRow): Promise<void> {
    const next = await unparkOldest(tx, organizationId, origin)
    if (next)
      await this.#options.queue.enqueue(tx, organizationId, 'webhooks.deliver', {
        deliveryId: next.id,
        turn: next.turn,
      })
  }

  /** Writes down how the attempt went and what comes of the delivery; without an attempt, its message is gone. */
  async #record(tx: Tx, sent: DeliveryRow, attempt: Attempt | undefined): Promise<void> {
    const { newId, clock, queue } = this.#options
    const { organization_id: organizationId, id } = sent
    // Asked for again during the attempt: the attempt counts, but the delivery is already on its next turn.
    const delivery = await holdDelivery(tx, organizationId, id)
    if (!delivery) return
    const attempts = delivery.attempts + (attempt ? 1 : 0)
    if (attempt) {
      const { startedAt, durationMs, status, reply, error } = attempt
      const logged = { number: attempts, started_at: startedAt, duration_ms: durationMs, status, reply, error }
      await insertAttempt(tx, organizationId, { id: newId(), delivery_id: id, ...logged })
    }
    const outcome = isDue(delivery, sent.turn) ? this.#outcomeOf(delivery, attempt) : {}
    const { delayMs, ...change } = outcome
    await updateDelivery(tx, organizationId, id, { ...change, attempts, updated_at: isoNow(clock) })
    if (delayMs === undefined || change.turn === undefined) return
    await queue.enqueue(tx, organizationId, 'webhooks.deliver', { deliveryId: id, turn: change.turn }, { delayMs })
  }

  #outcomeOf(delivery: DeliveryRow, attempt: Attempt | undefined): DeliveryChange & { delayMs?: number } {
    const { clock, retryDelaysMs } = this.#options
    if (!attempt) return failed(MESSAGE_DELETED)
    const { status, error } = attempt
    const tries = delivery.tries + 1
    if (status !== null && status >= 200 && status < 300)
      return { status: 'delivered', error_message: null, tries, next_attempt_at: null, delivered_at: isoNow(clock) }
    const reason = error ?? `The receiver answered ${status}`
    const delayMs =
      status === GONE ? undefined : nextDelayMs(retryDelaysMs, { tries, retryAfterMs: attempt.retryAfterMs })
    if (delayMs === undefined) return { ...failed(reason), tries }
    const nextAttemptAt = new Date(clock().getTime() + delayMs).toISOString()
    return { error_message: reason, tries, turn: delivery.turn + 1, next_attempt_at: nextAttemptAt, delayMs }
  }
}

const receiverKey = ({ organization_id, origin }: DeliveryRow): string => `${organization_id} ${origin}`

const failed = (reason: string) => ({ status: 'failed', error_message: reason, next_attempt_at: null }) as const

const isDue = ({ status, turn }: DeliveryRow, asked: number): boolean => status === 'pending' && turn === asked
