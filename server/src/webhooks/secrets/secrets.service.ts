import type { Caller } from '../../access/access.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import type { Tx } from '../../db.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { takeAdvisoryLock } from '../../platform/database/statements/advisory-locks.ts'
import { insertSecret, listSecrets, retireSecret, type SecretRecord } from './secrets.store.ts'
import { newWebhookSecret } from './signature.ts'

/** Time for which the old secret signs along with a new one, so that receivers can change over. */
const OVERLAP_MS = 24 * 3_600_000

export type SecretService = ReturnType<typeof createSecretService>

export type SecretServiceOptions = Pick<KernelParts, 'clock' | 'db' | 'newId' | 'writes'>

/** The secrets of workspaces, by which receivers know that a webhook is from here. */
export function createSecretService({ db, writes, newId, clock }: SecretServiceOptions) {
  async function add(tx: Tx, organizationId: string, workspaceId: string): Promise<SecretRecord> {
    const secret = newWebhookSecret()
    const createdAt = isoNow(clock)
    await insertSecret(tx, organizationId, { id: newId(), workspaceId, secret, createdAt })
    return { secret, createdAt, expiresAt: null }
  }

  /** The current one first, made if there is none yet; then those that still sign along. */
  async function list(organizationId: string, workspaceId: string): Promise<SecretRecord[]> {
    const known = await listSecrets(db, organizationId, workspaceId, isoNow(clock))
    if (known.length > 0) return known
    return writes.commit(async (tx) => {
      await takeAdvisoryLock(tx, 'webhook secrets', workspaceId)
      // Another request may have made it since.
      const made = await listSecrets(tx, organizationId, workspaceId, isoNow(clock))
      return made.length > 0 ? made : [await add(tx, organizationId, workspaceId)]
    })
  }

  return {
    list,

    /** Makes a new secret; the old one signs along for 24 h. */
    async rotate(caller: Caller): Promise<SecretRecord[]> {
      const { organizationId, workspaceId } = caller
      return writes.commit(async (tx) => {
        await takeAdvisoryLock(tx, 'webhook secrets', workspaceId)
        const until = new Date(clock().getTime() + OVERLAP_MS).toISOString()
        await retireSecret(tx, organizationId, workspaceId, { now: isoNow(clock), until })
        const { createdAt: at } = await add(tx, organizationId, workspaceId)
        const target = { type: 'webhook_secret', id: workspaceId } as const
        await recordAudit(tx, caller, { action: 'webhook_secret.rotated', at, target })
        return listSecrets(tx, organizationId, workspaceId, isoNow(clock))
      })
    },
  }
}
