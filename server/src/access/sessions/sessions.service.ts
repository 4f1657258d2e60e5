import { randomBytes } from 'node:crypto'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { createLruCache } from '../../platform/lru-cache.ts'
import { UnauthorizedError } from '../access.errors.ts'
import { type AccessService, callerOf, TRUST_MS } from '../access.service.ts'
import { findKeyById, recordKeyUse, type UsedKey } from '../access.store.ts'
import type { Caller } from '../caller.ts'
import { hashApiKey } from '../keys/api-key.ts'
import {
  deleteOldSessions,
  deleteSession,
  extendSession,
  findSession,
  findSessionByHash,
  insertSession,
  listSessionsOfAccount,
  type SessionRecord,
} from './sessions.store.ts'

/** However much it is used, somebody signs in again after this time. */
export const LONGEST_SESSION_MS = 30 * 86_400_000
const USE_RECORDED_EVERY_MS = 60_000
const OLD_MS = 7 * 86_400_000
const LARGEST_CACHE = 10_000
/** Payload: the id of a session that was ended. */
const ENDED = 'sessions.ended'

interface Trusted {
  caller: Caller
  session: SessionRecord
  until: number
}

export interface SessionServiceOptions
  extends Pick<KernelParts, 'clock' | 'db' | 'logger' | 'newId' | 'pubsub' | 'writes'> {
  access: AccessService
  /** Lifetime of a session that is not used. */
  ttlMs: number
}

/** Origin of a session. */
export interface SessionOrigin {
  address: string
  userAgent: string | null
}

export interface OpenedSession {
  token: string
  caller: Caller
  session: SessionRecord
}

/** Sessions of the web UI: the holder of the token acts as the key that opened it, under all of its rules. */
export class SessionService {
  readonly #options: SessionServiceOptions
  readonly #trusted = createLruCache<Trusted>(LARGEST_CACHE)

  constructor(options: SessionServiceOptions) {
    this.#options = options
    options.pubsub.subscribe(ENDED, (id) => this.#forgetWhere(({ session }) => session.id === id))
  }

  /**
   * The caller of a session, at once for a token that was seen in the last seconds.
   * @throws UnauthorizedError if it has ended, or its key was revoked or has expired; the message is for a person.
   */
  authenticate(token: string): Caller | Promise<Caller> {
    const known = this.#trusted.get(token)
    if (known && known.until > this.#options.clock().getTime()) return known.caller
    return this.#lookUp(token).then(({ caller }) => caller)
  }

  /**
   * Opens a session for a key that was checked.
   * @param accountId of the person who signs in, if it is not by the key
   */
  async begin(
    { organizationId, keyId }: Pick<Caller, 'organizationId' | 'keyId'>,
    { address, userAgent }: SessionOrigin,
    accountId: string | null = null,
  ): Promise<OpenedSession> {
    const { clock, db, newId, writes } = this.#options
    const now = clock().getTime()
    const key = await findKeyById(db, organizationId, keyId)
    if (!key) throw new UnauthorizedError('This API key is not known')
    const token = randomBytes(32).toString('base64url')
    const session: SessionRecord = {
      id: newId(),
      organizationId,
      keyId,
      tokenHash: hashApiKey(token),
      createdAt: isoNow(clock),
      lastUsedAt: isoNow(clock),
      expiresAt: this.#endOf(now, now),
      accountId,
      address,
      userAgent,
    }
    const caller = callerOfSession(key, session, now)
    await writes.commit(async (tx) => {
      await deleteOldSessions(tx, organizationId, new Date(now - OLD_MS).toISOString())
      await insertSession(tx, organizationId, session)
    })
    return { token, caller, session }
  }

  /** Ends it: at once, and in other processes a moment later. */
  async end({ id, organizationId }: SessionRecord): Promise<void> {
    const { writes, pubsub } = this.#options
    await writes.commit((tx) => deleteSession(tx, organizationId, id))
    this.#forgetWhere(({ session }) => session.id === id)
    pubsub.publish(ENDED, id)
  }

  /** Opens a session for a key. @throws UnauthorizedError if the key is unknown, revoked or expired */
  async open(apiKey: string, origin: SessionOrigin): Promise<OpenedSession> {
    return this.begin(await this.#options.access.authenticate(apiKey), origin)
  }

  /** Open sessions of an account, in all organizations, the last used first. */
  listOfAccount(accountId: string): Promise<SessionRecord[]> {
    const { db, clock } = this.#options
    return listSessionsOfAccount(db, accountId, isoNow(clock))
  }

  /** The session of a token. @throws UnauthorizedError as `authenticate` */
  get(token: string): Promise<{ caller: Caller; session: SessionRecord }> {
    return this.#lookUp(token)
  }

  /** Caller of a session, by its id, looked up now; counts as use of it. @throws UnauthorizedError as `authenticate` */
  async byId(organizationId: string, id: string): Promise<Caller> {
    return (await this.#check(await findSession(this.#options.db, organizationId, id))).caller
  }

  /** Ends the session of a token, if it is one. */
  async close(token: string): Promise<void> {
    this.#trusted.delete(token)
    const session = await findSessionByHash(this.#options.db, hashApiKey(token))
    if (session) await this.end(session)
  }

  /** Looks sessions of the key up again at their next use: it was revoked. */
  forget(keyId: string) {
    return this.#forgetWhere(({ caller }) => caller.keyId === keyId)
  }

  /** Looks all sessions up again at their next use. */
  forgetAll(): void {
    this.#trusted.clear()
  }

  /** Looks sessions up again at their next use. */
  #forgetWhere(isMeant: (known: Trusted) => boolean): void {
    for (const [token, known] of this.#trusted) if (isMeant(known)) this.#trusted.delete(token)
  }

  async #lookUp(token: string): Promise<Trusted> {
    this.#trusted.delete(token)
    const found = await this.#check(await findSessionByHash(this.#options.db, hashApiKey(token)))
    this.#trusted.set(token, found)
    return found
  }

  /** Requires a session that has not ended, whose key still works. @throws UnauthorizedError */
  async #check(session: SessionRecord | undefined): Promise<Trusted> {
    const { clock, db } = this.#options
    if (!session) throw new UnauthorizedError('This session has ended: sign in again')
    const now = clock().getTime()
    if (Date.parse(session.expiresAt) <= now)
      throw new UnauthorizedError('Nothing was done in this session for a long time, so it has ended: sign in again')
    const key = await findKeyById(db, session.organizationId, session.keyId)
    if (!key) throw new UnauthorizedError('This session has ended: sign in again')
    const caller = callerOfSession(key, session, now)
    if (now - Date.parse(session.lastUsedAt) > USE_RECORDED_EVERY_MS) this.#extend(session, now)
    const until = Math.min(now + TRUST_MS, Date.parse(session.expiresAt), Date.parse(key.expiresAt ?? '9999-12-31'))
    return { caller, session, until }
  }

  /** Runs beside the request: nobody waits for it. */
  #extend(session: SessionRecord, now: number): void {
    const { writes, logger } = this.#options
    const { organizationId, keyId } = session
    const usedAt = new Date(now).toISOString()
    const expiresAt = this.#endOf(now, Date.parse(session.createdAt))
    Object.assign(session, { lastUsedAt: usedAt, expiresAt })
    writes
      .commit(async (tx) => {
        await extendSession(tx, organizationId, session.id, { usedAt, expiresAt })
        await recordKeyUse(tx, organizationId, keyId, usedAt)
      })
      .catch((error) => logger.warn({ err: error }, 'the use of a session could not be recorded'))
  }

  #endOf(now: number, createdAt: number): string {
    return new Date(Math.min(now + this.#options.ttlMs, createdAt + LONGEST_SESSION_MS)).toISOString()
  }
}

function callerOfSession(key: UsedKey, { id, accountId }: SessionRecord, now: number): Caller {
  return { ...callerOf(key, now), sessionId: id, ...(accountId && { accountId }) }
}
