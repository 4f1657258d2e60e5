import type { Db } from '../../db.ts'
import type { Processes } from '../../platform/cluster/members/processes.ts'
import { listLeftBehind } from './holders.store.ts'
import type { EndUnattended } from './interruptions.ts'
import { InterruptedError } from './runs.errors.ts'

export interface EndInterruptedOptions {
  db: Db
  processes: Pick<Processes, 'id' | 'isAlive'>
  endUnattended: EndUnattended
}

/**
 * Ends what processes left running that do not live, so that nobody waits for it for ever, with what it said and did
 * until then. What nobody waits for at a connection is taken up again by its task.
 * @returns how many.
 */
export async function endInterrupted({ db, processes, endUnattended }: EndInterruptedOptions): Promise<number> {
  let ended = 0
  for (const held of await listLeftBehind(db, processes.id)) {
    if (await processes.isAlive(held.process_id)) continue
    if (await endUnattended(held, new InterruptedError().message)) ended++
  }
  return ended
}
