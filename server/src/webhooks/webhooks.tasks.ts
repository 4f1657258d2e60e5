import type { Db, Tx, Writes } from '../db.ts'
import { type Clock, isoNow } from '../platform/clock.ts'
import { takeAdvisoryLock } from '../platform/database/advisory-locks.ts'
import type { NewId } from '../platform/ids.ts'
import type { Outbound } from '../platform/outbound/outbound.ts'
import type { GivenUpHandlers } from '../queue/given-up.ts'
import type { Queue } from '../queue/queue.ts'
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
  const { db, writes, queue, outbound, secrets, messageBody, newId, clock, metrics, timeoutMs, retryDelaysMs } = options
  const receivers = createReceiverLimits()

  /**
   * Makes one attempt. A delivery to a receiver at its limit is parked and holds no worker; the end of an attempt at
   * that receiver enqueues the delivery that was parked first. So while anything is parked, a task is running that will
   * enqueue it.
   */
  async function deliver(organizationId: string, deliveryId: string, turn: number, signal: AbortSignal): Promise<void> {
    const delivery = await findDelivery(db, organizationId, deliveryId)
    if (!delivery) return
    const receiver = receiverKey(delivery)
    if (!isDue(delivery, turn)) return commitIn(receiver, (tx) => callNext(tx, delivery))
    while (!receivers.enter(receiver)) {
      // Asked again in the transaction: those that leave a lane do so before their own, which calls up what it finds.
      const isParked = await commitIn(receiver, async (tx) =>
        receivers.isFull(receiver) ? await parkDelivery(tx, organizationId, delivery) : undefined,
      )
      if (isParked !== undefined) return
    }
    try {
      const attempt = await send(delivery, signal)
      receivers.leave(receiver)
      if (attempt) metrics.attempted(attempt)
      await commitIn(receiver, async (tx) => {
        await record(tx, delivery, attempt)
        await callNext(tx, delivery)
      })
    } catch (error) {
      receivers.leave(receiver)
      throw error
    }
  }

  /** Parking and waking run in one transaction each, so neither misses the other. */
  const commitIn = <R>(receiver: string, write: (tx: Tx) => Promise<R>): Promise<R> =>
    writes.commit(async (tx) => {
      await takeAdvisoryLock(tx, 'webhook lane', receiver)
      return write(tx)
    })

  async function send(delivery: DeliveryRow, signal: AbortSignal): Promise<Attempt | undefined> {
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

  async function callNext(tx: Tx, { organization_id: organizationId, origin }: DeliveryRow): Promise<void> {
    const next = await unparkOldest(tx, organizationId, origin)
    if (next) await queue.enqueue(tx, organizationId, 'webhooks.deliver', { deliveryId: next.id, turn: next.turn })
  }

  /** Writes down how the attempt went and what comes of the delivery; without an attempt, its message is gone. */
  async function record(tx: Tx, sent: DeliveryRow, attempt: Attempt | undefined): Promise<void> {
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
    const outcome = isDue(delivery, sent.turn) ? outcomeOf(delivery, attempt) : {}
    const { delayMs, ...change } = outcome
    await updateDelivery(tx, organizationId, id, { ...change, attempts, updated_at: isoNow(clock) })
    if (delayMs === undefined || change.turn === undefined) return
    await queue.enqueue(tx, organizationId, 'webhooks.deliver', { deliveryId: id, turn: change.turn }, { delayMs })
  }

  function outcomeOf(delivery: DeliveryRow, attempt: Attempt | undefined): DeliveryChange & { delayMs?: number } {
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

  /** Receivers say what is wrong in an attempt's record; here it is the server. Those that are parked behind it go on. */
  async function giveUp(organizationId: string, deliveryId: string, turn: number): Promise<void> {
    const delivery = await findDelivery(db, organizationId, deliveryId)
    if (!delivery) return
    await commitIn(receiverKey(delivery), async (tx) => {
      const now = await holdDelivery(tx, organizationId, deliveryId)
      if (now && isDue(now, turn))
        await updateDelivery(tx, organizationId, deliveryId, { ...failed(GIVEN_UP), updated_at: isoNow(clock) })
      await callNext(tx, delivery)
    })
  }

  return {
    handlers: {
      'webhooks.deliver': ({ deliveryId, turn }, { organizationId, signal }) =>
        deliver(organizationId, deliveryId, turn, signal),
    },
    givenUp: {
      'webhooks.deliver': ({ deliveryId, turn }, { organizationId }) => giveUp(organizationId, deliveryId, turn),
    },
  }
}

const receiverKey = ({ organization_id, origin }: DeliveryRow): string => `${organization_id} ${origin}`

const failed = (reason: string) => ({ status: 'failed', error_message: reason, next_attempt_at: null }) as const

const isDue = ({ status, turn }: DeliveryRow, asked: number): boolean => status === 'pending' && turn === asked
