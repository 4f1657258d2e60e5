import { setTimeout as delay } from 'node:timers/promises'
import type { Tx } from '../../../db.ts'
import { findHeld, type Held, listBefore, type MessagePlace } from './holders.store.ts'
import type { Outcome, RemoteRuns } from './remote-runs.ts'
import { type Before, LOOK_AGAIN_MS, RunDirectory, type RunDirectoryOptions } from './run-directory.ts'

/** Directory of one of several processes that serve an installation: each asks the others for what they have. */
export class SharedDirectory extends RunDirectory {
  readonly #remoteRuns: RemoteRuns

  constructor({ remoteRuns, ...options }: RunDirectoryOptions & { remoteRuns: RemoteRuns }) {
    super(options)
    this.#remoteRuns = remoteRuns
  }

  /** The database is asked each time. */
  async start(): Promise<void> {}

  expect(): void {}

  async before(tx: Tx, place: MessagePlace): Promise<Before> {
    return this.beforeOf(await listBefore(tx, place.organizationId, place))
  }

  async isHeldRemotely(held: Held): Promise<boolean> {
    return held.processId !== '' && !this.isOurs(held) && (await this.options.membership.isAlive(held.processId))
  }

  async untilChange(held: Held, signal?: AbortSignal): Promise<void> {
    const patience = AbortSignal.timeout(LOOK_AGAIN_MS)
    const either = signal ? AbortSignal.any([signal, patience]) : patience
    if (held.processId !== '' && !this.isOurs(held)) {
      const outcome = await this.#remoteRuns.watch(remoteOf(held), either)
      // Over there it is over, and its end may still be on its way into the database.
      if (outcome !== 'over') return
      const now = await findHeld(this.options.db, held.organizationId, held.id)
      if (now?.status !== 'in_progress' || now.processId !== held.processId) return
    }
    await delay(LOOK_AGAIN_MS, undefined, { signal: either }).catch(() => {})
  }

  async follow(
    held: Held,
    after: number,
    write: Parameters<RemoteRuns['follow']>[2],
    signal: AbortSignal,
  ): Promise<Outcome | 'unattended'> {
    if (!(await this.isHeldRemotely(held))) return 'unattended'
    return this.#remoteRuns.follow(remoteOf(held), after, write, signal)
  }

  /** Another process runs it, or ends it if its own died. */
  goesOn(): boolean {
    return true
  }

  protected cancelRemote(held: Held, signal: AbortSignal): Promise<Outcome> {
    return this.#remoteRuns.cancel(remoteOf(held), signal)
  }
}

const remoteOf = ({ organizationId, id: messageId, processId }: Held) => ({
  processId,
  organizationId,
  messageId,
})
