import { recordAudit } from '../../audit/record-audit.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { commitChecked } from '../../platform/database/statements/commit-checked.ts'
import { SecondFactorNeededError } from '../access.errors.ts'
import type { Caller } from '../caller.ts'
import { findDemand, isUnprotected, listUnprotected, setDemand } from './second-factor.store.ts'

/** Called when a workspace begins or ends to demand a second factor, and when an account gets or loses one. */
export const SECOND_FACTOR_CHANGED = 'second-factor.changed'

const MOST_NAMED = 100

export type SecondFactorDemandOptions = Pick<KernelParts, 'clock' | 'db' | 'pubsub' | 'writes'>

/** Demand of a workspace that its members have a second factor. */
export class SecondFactorDemand {
  readonly #options: SecondFactorDemandOptions

  constructor(options: SecondFactorDemandOptions) {
    this.#options = options
  }

  async get({ organizationId, workspaceId }: Caller) {
    const { db } = this.#options
    const { members, total } = await listUnprotected(db, organizationId, workspaceId, MOST_NAMED)
    return {
      is_demanded: await findDemand(db, organizationId, workspaceId),
      members_without: members,
      members_without_total: total,
    }
  }

  /** @throws SecondFactorNeededError for a member who demands one and has none */
  async set(caller: Caller, isDemanded: boolean) {
    const { writes, clock, pubsub } = this.#options
    const { organizationId, workspaceId, memberId } = caller
    await commitChecked(writes, async (tx) => {
      if (isDemanded && memberId && (await isUnprotected(tx, organizationId, memberId)))
        throw new SecondFactorNeededError('Set up a second factor of your own first, on your account page')
      await setDemand(tx, organizationId, workspaceId, isDemanded)
      const at = isoNow(clock)
      const target = { type: 'workspace', id: workspaceId } as const
      const details = { is_demanded: isDemanded }
      await recordAudit(tx, caller, { action: 'workspace.second_factor_changed', at, target, details })
    })
    await pubsub.announce(SECOND_FACTOR_CHANGED, workspaceId)
    return this.get(caller)
  }
}
