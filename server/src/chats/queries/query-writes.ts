import type { Db } from '../../db.ts'
import { createBatches, type InBatches } from '../../platform/concurrency/batches.ts'
import { CommitUnansweredError, isDatabaseAway } from '../../platform/database/away-errors.ts'
import { isBusy, isLocked } from '../../platform/database/errors.ts'
import { transactionWithSteps } from '../../platform/database/statements/after-commit.ts'
import type { Queue } from '../../queue/queue.ts'
import type { WebhookService } from '../../webhooks/webhooks.ts'
import { completeTogether, type PlainEnd } from '../messages/message-life.batches.store.ts'
import { type InsertedMessage, insertMessages, type PlainMessage } from '../messages/message-life.inserts.store.ts'
import { MOST_WAITING } from '../runs/runs.errors.ts'

const LARGEST_BATCH = 100

/**
 * Writes of an organization's queries at the same time, in one transaction: on PostgreSQL, where each would otherwise
 * pay for a transaction of its own, and all wait for each other at the sums that they add to. Two organizations never
 * share one. What a batch did not store is for the caller to store alone.
 */
export interface QueryWrites {
  /**
   * Accepts a query in its turn: of one chat in the order in which they are handed in.
   * @returns undefined for one that is not stored
   * @throws CommitUnansweredError for one that may be
   */
  insert(organizationId: string, message: PlainMessage): Promise<InsertedMessage | undefined>
  /** @returns false for an end that is not stored, or that a batch stored whose commit nobody answered */
  end(organizationId: string, end: PlainEnd): Promise<boolean>
}

export interface QueryWritesOptions {
  db: Db
  webhooks: Pick<WebhookService, 'openDeliveries' | 'deliver'>
  queue: Pick<Queue, 'enqueueAll'>
  /** Called after each committed transaction, with the number of its writes. */
  onCommitted?(writes: number): void
}

export function createQueryWrites(options: QueryWritesOptions): QueryWrites {
  const counted = <R>(stored: R[]): R[] => {
    const writes = stored.filter(Boolean).length
    if (writes > 0) options.onCommitted?.(writes)
    return stored
  }
  const inserts = byOrganization(
    (organizationId, batch: PlainMessage[]) =>
      insertTogetherOrSingly(batch, async (some) => counted(await insertBatch(options, organizationId, some))),
    ({ chatId }) => chatId,
  )
  const ends = byOrganization(async (organizationId, batch: PlainEnd[]) =>
    counted(await endBatch(options, organizationId, batch)),
  )
  return {
    async insert(organizationId, message) {
      const outcome = await inserts(organizationId)(message)
      if (outcome instanceof CommitUnansweredError) throw outcome
      return outcome
    },
    end: (organizationId, end) => ends(organizationId)(end).catch(() => false),
  }
}

/**
 * Stores a batch in one round trip if no query is asynchronous; otherwise with a task and a delivery for each that is.
 */
async function insertBatch(
  { db, webhooks, queue }: QueryWritesOptions,
  organizationId: string,
  messages: PlainMessage[],
): Promise<(InsertedMessage | undefined)[]> {
  if (messages.every(({ webhookUrl }) => webhookUrl === null))
    return insertMessages(db, organizationId, messages, MOST_WAITING)
  return transactionWithSteps(db, async (tx) => {
    const inserted = await insertMessages(tx, organizationId, messages, MOST_WAITING)
    const tasks = messages.flatMap(({ id: messageId, workspaceId, webhookUrl: url }, index) =>
      inserted[index] && url !== null ? [{ messageId, workspaceId, url }] : [],
    )
    await webhooks.openDeliveries(tx, organizationId, tasks)
    const payloads = tasks.map(({ messageId }) => ({ messageId }))
    await queue.enqueueAll(tx, organizationId, 'chats.answer', payloads)
    return inserted
  })
}

/** Ends messages in one trip, if none has a webhook; otherwise with what makes the deliveries due. */
async function endBatch(
  { db, webhooks }: QueryWritesOptions,
  organizationId: string,
  ends: PlainEnd[],
): Promise<boolean[]> {
  if (!ends.some(({ isDelivered }) => isDelivered)) return completeTogether(db, organizationId, ends)
  return transactionWithSteps(db, async (tx) => {
    const stored = await completeTogether(tx, organizationId, ends)
    const delivered = ends.filter(({ isDelivered }, index) => isDelivered && stored[index])
    await webhooks.deliver(
      tx,
      organizationId,
      delivered.map(({ fence }) => fence.messageId),
    )
    return stored
  })
}

/** Outcome of one of a batch: undefined if it is not stored. */
type Outcome = InsertedMessage | CommitUnansweredError | undefined
type InsertBatch = (messages: PlainMessage[]) => Promise<Outcome[]>

/** If a batch fails each is tried by itself, in order, so that one that cannot be stored holds up no other. */
async function insertTogetherOrSingly(batch: PlainMessage[], insert: InsertBatch): Promise<Outcome[]> {
  try {
    return await insert(batch).catch((error) => (isBusy(error) ? insert(batch) : Promise.reject(error)))
  } catch (error) {
    const isOfOne = !isLocked(error) && !isDatabaseAway(error)
    if (batch.length === 1 || !isOfOne) return batch.map(() => outcomeOf(error))
  }
  const outcomes: Outcome[] = []
  for (const message of batch) outcomes.push(...(await insert([message]).catch((error) => [outcomeOf(error)])))
  return outcomes
}

const outcomeOf = (error: unknown): Outcome => (error instanceof CommitUnansweredError ? error : undefined)

/** Batches of each organization that has any under way. */
function byOrganization<T, R>(
  run: (organizationId: string, items: T[]) => Promise<R[]>,
  keyOf?: (item: T) => string,
): (organizationId: string) => InBatches<T, R> {
  const all = new Map<string, InBatches<T, R>>()
  return (organizationId) => {
    let batches = all.get(organizationId)
    if (!batches) {
      const onIdle = () => all.delete(organizationId)
      batches = createBatches((items) => run(organizationId, items), { largest: LARGEST_BATCH, keyOf, onIdle })
      all.set(organizationId, batches)
    }
    return batches
  }
}
