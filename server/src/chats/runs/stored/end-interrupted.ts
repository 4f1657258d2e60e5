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
 * Ends what processes left running that do not live, so that nobody waits for it for ever, with what it said and did
 * until then. What nobody waits for at a connection is taken up again by its task.
 * @returns how many.
 */
export async function endInterrupted({ db, membership, endUnattended }: EndInterruptedOptions): Promise<number> {
  let ended = 0
  for (const held of await listLeftBehind(db, membership.id)) {
    if (await membership.isAlive(held.process_id)) continue
    if (await endUnattended(held, new InterruptedError().message)) ended++
  }
  return ended
}
