import type { Db } from '../../../db.ts'
import type { Membership } from '../../../platform/cluster/membership/membership.ts'
import { listLeftBehind } from '../directory/holders.store.ts'
import { InterruptedError } from '../runs.errors.ts'
import type { EndUnattended } from './interruptions.ts'

export interface EndInterruptedOptions {
  db: Db
  membership: Pick<Membership, 'id' | 'isAlive'>
  endUnattended: EndUnattended
}

/**
 * Ends blocking and streaming messages left in progress by dead processes, with their text and events so far, so that
 * no caller waits for ever. Asynchronous messages are resumed by their tasks.
 * @returns the number of ended messages.
 */
export async function endInterrupted({ db, membership, endUnattended }: EndInterruptedOptions): Promise<number> {
  let ended = 0
  for (const held of await listLeftBehind(db, membership.id)) {
    if (await membership.isAlive(held.processId)) continue
    if (await endUnattended(held, new InterruptedError().message)) ended++
  }
  return ended
}
