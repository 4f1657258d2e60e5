import { setTimeout as delay } from 'node:timers/promises'
import type { Tx } from '../../../db.ts'
import { isDurable } from '../modes.ts'
import { type Held, listBefore, listChatsInProgress, type MessagePlace } from './holders.store.ts'
import { type Before, RunDirectory } from './run-directory.ts'

const LOOK_AGAIN_MS = 250
const NOTHING: Before = { count: 0, hasOthers: false }

/**
 * Directory of a process that has the database to itself: a run is here, or nowhere yet. It knows in which chats
 * anything is left to be claimed, so a query in another one pays no statement for it.
 */
export class AloneDirectory extends RunDirectory {
  readonly #expectant = new Set<string>()

  async start(): Promise<void> {
    for (const chatId of await listChatsInProgress(this.options.db)) this.#expectant.add(chatId)
  }

  expect(chatId: string): void {
    this.#expectant.add(chatId)
  }

  async before(tx: Tx, place: MessagePlace): Promise<Before> {
    if (!this.#expectant.has(place.chatId)) return NOTHING
    const before = this.beforeOf(await listBefore(tx, place.organizationId, place))
    if (!before.hasOthers) this.#expectant.delete(place.chatId)
    return before
  }

  async isHeldRemotely(): Promise<boolean> {
    return false
  }

  async untilChange(_held: Held, signal?: AbortSignal): Promise<void> {
    await delay(LOOK_AGAIN_MS, undefined, { signal }).catch(() => {})
  }

  async follow(): Promise<'unattended'> {
    return 'unattended'
  }

  /** A run whose process has died continues only by a task. */
  goesOn({ mode }: { mode: string }): boolean {
    return isDurable(mode)
  }

  protected async cancelRemote(): Promise<void> {}
}
