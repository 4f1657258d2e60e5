import type { KernelParts } from '../kernel-parts.ts'
import { createSweep, type Sweep } from '../platform/sweep.ts'
import { deleteOldClients } from './clients/clients.store.ts'
import { deleteOldDevices } from './devices/devices.store.ts'
import { ENDING } from './tokens/ended.store.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Clients that nobody agreed to. */
const UNUSED_CLIENT_MS = DAY_MS
/** Longer than a grant lives without use. */
const USED_CLIENT_MS = 90 * DAY_MS

export type AppsRetentionOptions = Pick<KernelParts, 'clock' | 'db' | 'logger' | 'writes'>

/** Removes apps that nobody connected, and codes, tokens and grants that ended. */
export function createAppsRetention({ db, writes, clock, logger }: AppsRetentionOptions): Sweep[] {
  const before = (ms: number) => new Date(clock().getTime() - ms).toISOString()
  const sweep = (what: string, step: (limit: number) => Promise<number>) =>
    createSweep({ what, everyMs: HOUR_MS, limit: 100, logger, step })

  const ended = (what: string, kind: keyof typeof ENDING, ms: number) =>
    sweep(what, async (limit) => {
      const rows = await ENDING[kind].list(db, before(ms), limit)
      if (rows.length > 0)
        await writes.commit(async (tx) => {
          for (const row of rows) await ENDING[kind].delete(tx, row)
        })
      return rows.length
    })

  return [
    sweep('apps that nobody connected', (limit) =>
      deleteOldClients(db, { unusedBefore: before(UNUSED_CLIENT_MS), usedBefore: before(USED_CLIENT_MS) }, limit),
    ),
    sweep('codes of devices', (limit) => deleteOldDevices(db, before(DAY_MS), limit)),
    // Long enough that a code which comes a second time is known.
    ended('codes of apps', 'code', DAY_MS),
    ended('tokens of apps', 'token', 0),
    ended('grants of apps', 'grant', 0),
  ]
}
