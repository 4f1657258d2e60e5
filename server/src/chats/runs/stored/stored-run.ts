import type { Decision, RunState } from '../../../agents/agents.ts'
import type { Db, Tx } from '../../../db.ts'
import type { Given } from '../given.ts'
import type { LogEntry } from '../run-log.ts'

/** A run as it is stored while it is not at its end: what the agents know, and what was shown. Plain JSON. */
export interface StoredRun {
  agents: RunState
  log: LogEntry[]
  response: string
  reasoning: string
  outputCount: number
  /** Milliseconds of work, without the time of reviews. */
  activeMs: number
  /** Decision of the person it waited for. */
  decision?: Decision
  given?: Given
}

/** @param state a StoredRun as JSON: a run moves on while it waits to be written */
export async function putStoredRun(
  tx: Tx,
  organizationId: string,
  messageId: string,
  state: string,
  at: string,
): Promise<void> {
  await tx
    .insertInto('run_state')
    .values({ organization_id: organizationId, message_id: messageId, state, updated_at: at })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'message_id']).doUpdateSet({ state, updated_at: at }),
    )
    .execute()
}

export async function findStoredRun(db: Db, organizationId: string, messageId: string): Promise<StoredRun | undefined> {
  const row = await db
    .selectFrom('run_state')
    .select('state')
    .where('organization_id', '=', organizationId)
    .where('message_id', '=', messageId)
    .executeTakeFirst()
  return row && JSON.parse(row.state)
}

export async function deleteStoredRun(tx: Tx, organizationId: string, messageId: string): Promise<void> {
  await tx
    .deleteFrom('run_state')
    .where('organization_id', '=', organizationId)
    .where('message_id', '=', messageId)
    .execute()
}
