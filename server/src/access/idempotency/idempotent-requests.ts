import { createHmac } from 'node:crypto'
import type { Tx } from '../../db.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import type { Membership } from '../../platform/cluster/membership/membership.ts'
import { lazy } from '../../platform/concurrency/lazy.ts'
import { createSecretBox } from '../../platform/secret-box.ts'
import { createSweep, type Sweep } from '../../platform/sweep.ts'
import { IdempotencyConflictError, RequestInProgressError } from '../access.errors.ts'
import type { Caller } from '../caller.ts'
import {
  findRequest,
  forget,
  forgetUnanswered,
  insertRequest,
  listOld,
  type RequestDigests,
  storeAnswer,
  takeOver,
} from './idempotent-requests.store.ts'

const HOUR_MS = 3_600_000
/** How long an answer is kept. */
const KEPT_MS = 24 * HOUR_MS

/** A request with a key, as it is known again. */
export interface IdempotentRequest extends RequestDigests {
  organizationId: string
}

export interface StoredAnswer {
  status: number
  body: string
}

export interface IdempotentRequestOptions extends Pick<KernelParts, 'clock' | 'db' | 'logger' | 'writes'> {
  membership: Membership
  getSecret(use: 'secrets'): Promise<string>
}

export type IdempotentRequests = ReturnType<typeof createIdempotentRequests>

/** Requests with an Idempotency-Key: each succeeds once, and its answer is kept for 24 hours. */
export function createIdempotentRequests(options: IdempotentRequestOptions) {
  const { db, writes, clock, membership, getSecret } = options
  const secrets = lazy(async () => {
    const secret = await getSecret('secrets')
    return {
      box: createSecretBox(secret, 'answers to idempotent requests'),
      // Keyed, because a body may hold a password, which could be guessed from a plain digest.
      digest: (value: unknown) => createHmac('sha256', secret).update(JSON.stringify(value)).digest('hex'),
    }
  })
  const processId = membership.id
  /** Requests that this process carries out, by their keys. */
  const running = new Set<string>()

  /** Whether whoever began a request has ended without its answer. */
  const isAbandoned = async (key: string, by: string) =>
    by === processId ? !running.has(key) : !(await membership.isAlive(by))

  return {
    sweep: createRetention(options),

    async digestsOf(
      { organizationId, keyId, virtualUserId, visitor }: Caller,
      key: string,
      { method, url, body }: { method: string; url: string; body: unknown },
    ): Promise<IdempotentRequest> {
      const { digest } = await secrets.get()
      return {
        organizationId,
        key: digest([keyId, virtualUserId ?? visitor?.id ?? null, key]),
        request: digest([method, url, body ?? null]),
      }
    },

    /**
     * Begins a request, or finds the answer that it had.
     * @throws IdempotencyConflictError for a key of another request, RequestInProgressError while the first is carried out
     */
    async begin(digests: IdempotentRequest): Promise<StoredAnswer | undefined> {
      const { organizationId, key } = digests
      const now = { processId, at: isoNow(clock) }
      if (await writes.commit((tx) => insertRequest(tx, digests.organizationId, digests, now))) {
        running.add(key)
        return undefined
      }
      const known = await findRequest(db, organizationId, key)
      // It failed in between, and so may be sent again.
      if (!known) throw new RequestInProgressError()
      if (known.request_digest !== digests.request) throw new IdempotencyConflictError()
      if (known.status !== null) {
        const body = (await secrets.get()).box.open(known.answer ?? '', key)
        return { status: known.status, body }
      }
      const { process_id: from } = known
      if (!(await isAbandoned(key, from))) throw new RequestInProgressError()
      running.add(key)
      if (await writes.commit((tx) => takeOver(tx, organizationId, digests, { from, processId }))) return undefined
      running.delete(key)
      throw new RequestInProgressError()
    },

    async succeed(digests: IdempotentRequest, { status, body }: StoredAnswer): Promise<void> {
      try {
        const answer = (await secrets.get()).box.seal(body, digests.key)
        await writes.commit((tx) => storeAnswer(tx, digests.organizationId, digests, { processId, status, answer }))
      } finally {
        running.delete(digests.key)
      }
    },

    /**
     * Notes a request with its answer in the transaction that carries it out: both are there after a kill, or neither.
     * @returns false if its key is known already; the transaction must then write nothing
     */
    async noteIn(tx: Tx, digests: IdempotentRequest, { status, body }: StoredAnswer): Promise<boolean> {
      const { organizationId, key } = digests
      if (!(await insertRequest(tx, organizationId, digests, { processId, at: isoNow(clock) }))) return false
      const answer = (await secrets.get()).box.seal(body, key)
      await storeAnswer(tx, organizationId, digests, { processId, status, answer })
      return true
    },

    /**
     * Finds the answer to a request that was noted.
     * @throws IdempotencyConflictError for a key of another request, RequestInProgressError if it was forgotten meanwhile
     */
    async getAnswer({ organizationId, key, request }: IdempotentRequest): Promise<StoredAnswer> {
      const known = await findRequest(db, organizationId, key)
      if (known && known.request_digest !== request) throw new IdempotencyConflictError()
      if (known?.status == null) throw new RequestInProgressError()
      return { status: known.status, body: (await secrets.get()).box.open(known.answer ?? '', key) }
    },

    /** Frees the key: what failed changed nothing. */
    async fail(digests: IdempotentRequest): Promise<void> {
      try {
        await writes.commit((tx) => forgetUnanswered(tx, digests.organizationId, digests, processId))
      } finally {
        running.delete(digests.key)
      }
    },
  }
}

const createRetention = ({ db, writes, clock, logger }: IdempotentRequestOptions): Sweep =>
  createSweep({
    what: 'answers to idempotent requests',
    everyMs: HOUR_MS,
    limit: 100,
    logger,
    async step(limit) {
      const old = await listOld(db, new Date(clock().getTime() - KEPT_MS).toISOString(), limit)
      if (old.length > 0)
        await writes.commit(async (tx) => {
          for (const { organization_id, key_digest } of old) await forget(tx, organization_id, key_digest)
        })
      return old.length
    },
  })
