import type { Caller, KeyService } from '../../access/access.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import type { Db, Tx } from '../../db.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { createNotifiedCache } from '../../platform/cluster/pubsub/notified-cache.ts'
import { takeAdvisoryLock } from '../../platform/database/statements/advisory-locks.ts'
import { commitChecked } from '../../platform/database/statements/commit-checked.ts'
import { findVirtualUser, type UserService, VirtualUserNotFoundError } from '../../users/users.ts'
import type { PricedUsage } from '../usage.record.ts'
import { moveUse, type QuotaUse } from './quota-use.store.ts'
import { type Asker, countMessageInQuota, countUse, findOrSumUse, holdingFor } from './quota-use.ts'
import { QuotaExceededError, QuotaNotFoundError } from './quotas.errors.ts'
import { type SetQuota, toMicros } from './quotas.schemas.ts'
import {
  deleteQuota,
  deleteQuotasOf,
  listAllQuotas,
  listQuotas,
  type QuotaRecord,
  upsertQuota,
} from './quotas.store.ts'
import { requireRoom } from './require-room.ts'

export interface QuotaServiceOptions extends Pick<KernelParts, 'clock' | 'db' | 'newId' | 'pubsub' | 'writes'> {
  keys: KeyService
  users: UserService
}

/** Key that asks, in its workspace. */
type Asking = Pick<Asker, 'organizationId' | 'workspaceId' | 'keyId'>

/** Limits of what a workspace, its keys and its virtual users may use in a day or a month. */
export class QuotaService {
  readonly #options: QuotaServiceOptions
  /** Quotas by workspace: most have none, and their queries need no statement. */
  readonly #cache: ReturnType<typeof createNotifiedCache<QuotaRecord[]>>

  constructor(options: QuotaServiceOptions) {
    this.#options = options
    this.#cache = createNotifiedCache<QuotaRecord[]>({
      pubsub: options.pubsub,
      channel: 'quotas.changed',
      most: 10_000,
    })
  }

  /**
   * Checks in the accepting transaction that a query may be accepted. Locks the workspace's quotas until the commit, so no
   * other query is counted between this and `count`.
   * @throws QuotaExceededError before anything is written
   */
  async require(tx: Tx, { organizationId, workspaceId, keyId }: Asking, email: string | null): Promise<void> {
    const quotas = await this.#quotasOf(tx, organizationId, workspaceId)
    if (quotas.length === 0) return
    await takeAdvisoryLock(tx, 'quotas', workspaceId)
    const virtualUserId = email && ((await findVirtualUser(tx, organizationId, workspaceId, email)) ?? '')
    const asker: Asker = { organizationId, workspaceId, keyId, virtualUserId }
    await this.#requireRoom(tx, asker)
  }

  /**
   * Checks that something may be spent that is no message, such as the writing down of speech.
   * @throws QuotaExceededError where tokens or cost are used up
   */
  async requireBudget(asker: Asker): Promise<void> {
    await this.#requireRoom(this.#options.db, asker, (quota) => ({ ...quota, maxMessages: null }))
  }

  /**
   * Checks quotas as they are known. Where one refuses they are read again: one that another process has raised or deleted
   * by now refuses nobody.
   */
  async #requireRoom(db: Db, asker: Asker, toChecked = (quota: QuotaRecord) => quota): Promise<void> {
    const { organizationId, workspaceId } = asker
    const check = async () => {
      const quotas = await this.#quotasOf(db, organizationId, workspaceId)
      await this.#requireRoomIn(db, quotas.map(toChecked), asker)
    }
    await check().catch((error) => {
      if (!(error instanceof QuotaExceededError)) throw error
      this.#cache.forget(workspaceId)
      return check()
    })
  }

  /** Whether any holds in the workspace. */
  async hold(organizationId: string, workspaceId: string): Promise<boolean> {
    return (await this.#quotasOf(this.#options.db, organizationId, workspaceId)).length > 0
  }

  /** Counts a query that is accepted, in the same transaction. */
  async count(tx: Tx, { organizationId, workspaceId, keyId }: Asking, virtualUserId: string | null): Promise<void> {
    const quotas = await this.#quotasOf(tx, organizationId, workspaceId)
    if (quotas.length === 0) return
    const asker: Asker = { organizationId, workspaceId, keyId, virtualUserId }
    for (const holding of holdingFor(quotas, asker)) await countMessageInQuota(tx, holding, isoNow(this.#options.clock))
  }

  /** Counts what a message used, in the transaction that adds it to the sums. */
  async settle(tx: Tx, organizationId: string, used: PricedUsage): Promise<void> {
    const quotas = await this.#quotasOf(tx, organizationId, used.workspaceId)
    if (quotas.length === 0) return
    const use = {
      tokens: used.parts.reduce((sum, { usage }) => sum + usage.inputTokens + usage.outputTokens, 0),
      cost_micros: used.parts.reduce((sum, { costMicros }) => sum + (costMicros ?? 0), 0),
    }
    for (const holding of holdingFor(quotas, { organizationId, ...used })) await countUse(tx, holding, used.at, use)
  }

  /** Sets the quota of a subject and a period, or changes it; what was used stays used. */
  async set(caller: Caller, wanted: SetQuota): Promise<{ quota: QuotaRecord; use: QuotaUse | null }> {
    const { clock, writes, newId } = this.#options
    const { organizationId, workspaceId } = caller
    const { subject, period, max_messages, max_tokens, max_cost_usd } = wanted
    const subjectId = await this.#subjectId(caller, subject)
    const now = isoNow(clock)
    const quota = await writes.commit(async (tx) => {
      const row = await upsertQuota(tx, organizationId, {
        id: newId(),
        workspaceId,
        subjectType: subject.type,
        subjectId,
        period,
        maxMessages: max_messages,
        maxTokens: max_tokens,
        maxCostMicros: max_cost_usd === null ? null : toMicros(max_cost_usd),
        createdAt: now,
        updatedAt: now,
      })
      await this.#audit(tx, caller, row, { max_messages, max_tokens, max_cost_usd })
      return row
    })
    await this.#cache.announceChange(workspaceId)
    return { quota, use: await this.#findUse(quota) }
  }

  /** One page, newest first, with what was used. */
  async list(caller: Caller, { page, page_size }: { page: number; page_size: number }) {
    const { organizationId, workspaceId } = caller
    const range = { limit: page_size, offset: (page - 1) * page_size }
    const { quotas, total } = await listQuotas(this.#options.db, organizationId, workspaceId, range)
    return {
      quotas: await Promise.all(quotas.map(async (quota) => ({ quota, use: await this.#findUse(quota) }))),
      total,
    }
  }

  /** @throws QuotaNotFoundError */
  async remove(caller: Caller, id: string): Promise<void> {
    const { organizationId, workspaceId } = caller
    await commitChecked(this.#options.writes, async (tx) => {
      const quota = await deleteQuota(tx, organizationId, workspaceId, id)
      if (!quota) throw new QuotaNotFoundError()
      await this.#audit(tx, caller, quota, { deleted: true })
    })
    await this.#cache.announceChange(workspaceId)
  }

  /** Adds the use of a virtual user to that of another one, whose own quotas stay. */
  async movePerson(tx: Tx, organizationId: string, fromId: string, toId: string): Promise<void> {
    await moveUse(tx, organizationId, fromId, toId)
    await this.forgetPerson(tx, organizationId, fromId)
  }

  /** Removes what is of a virtual user that is erased. */
  async forgetPerson(tx: Tx, organizationId: string, virtualUserId: string): Promise<void> {
    await deleteQuotasOf(tx, organizationId, virtualUserId)
    this.#cache.clear()
  }

  #quotasOf(from: Db, organizationId: string, workspaceId: string): Promise<QuotaRecord[]> {
    return this.#cache.get(workspaceId, () => listAllQuotas(from, organizationId, workspaceId))
  }

  /** @throws ApiKeyNotFoundError, VirtualUserNotFoundError */
  async #subjectId(caller: Caller, { type, id, email }: SetQuota['subject']): Promise<string> {
    const { keys, users, db } = this.#options
    if (type === 'api_key') return (await keys.get(caller, id!)).id
    if (type !== 'virtual_user') return ''
    if (id !== undefined) return (await users.get(caller, id)).id
    const found = await findVirtualUser(db, caller.organizationId, caller.workspaceId, email!)
    if (found === undefined) throw new VirtualUserNotFoundError()
    return found
  }

  async #requireRoomIn(tx: Db, quotas: QuotaRecord[], asker: Asker): Promise<void> {
    const at = isoNow(this.#options.clock)
    for (const holding of holdingFor(quotas, asker)) requireRoom(holding.quota, await findOrSumUse(tx, holding, at), at)
  }

  /** Usage of the quota in the present period; null where everybody has their own. */
  async #findUse(quota: QuotaRecord): Promise<QuotaUse | null> {
    const { db, clock } = this.#options
    return quota.subjectType === 'any_virtual_user'
      ? null
      : findOrSumUse(db, { quota, virtualUserId: '' }, isoNow(clock))
  }

  #audit(tx: Tx, caller: Caller, { subjectType, subjectId, period }: QuotaRecord, change: object) {
    const isOfOne = subjectType === 'api_key' || subjectType === 'virtual_user'
    const target = isOfOne
      ? { type: subjectType, id: subjectId }
      : ({ type: 'workspace', id: caller.workspaceId } as const)
    const details = { subject_type: subjectType, period, ...change }
    return recordAudit(tx, caller, { action: 'quota.updated', at: isoNow(this.#options.clock), target, details })
  }
}
