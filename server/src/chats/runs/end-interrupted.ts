import { totalOf } from '../../agents/run-state.ts'
import type { Db, Tx } from '../../db.ts'
import type { UsageService } from '../../usage/usage.service.ts'
import { workspaceOfChat } from '../chats.store.ts'
import { type MessageRow, tokenColumns } from '../messages.store.ts'
import { lastSeqOf } from './run-log.ts'
import { deleteStoredRun, findStoredRun, type StoredRun } from './stored-run.ts'

/** Modes of messages that a task takes up again when their process dies. */
export const DURABLE_MODES = ['async', 'reviewed'] as const

export const isDurable = (mode: string): boolean => (DURABLE_MODES as readonly string[]).includes(mode)

export interface EndInterruptedOptions {
  db: Db
  usage: UsageService
  /** Of the process whose runs go on. */
  processId: string
  reason: string
  at: string
}

type Interrupted = Pick<
  MessageRow,
  'organization_id' | 'id' | 'agent_id' | 'chat_id' | 'virtual_user_id' | 'api_key_id'
>

/**
 * Ends what other processes left running, so that nobody waits for it for ever, with what it said and did until then.
 * What nobody waits for at a connection is taken up again by its task.
 * @returns how many.
 */
export async function endInterrupted({ db, usage, processId, reason, at }: EndInterruptedOptions): Promise<number> {
  const interrupted = await db
    .selectFrom('message')
    .select(['organization_id', 'id', 'agent_id', 'chat_id', 'virtual_user_id', 'api_key_id'])
    .where('status', '=', 'in_progress')
    .where('mode', 'not in', [...DURABLE_MODES])
    .where('process_id', '!=', processId)
    .execute()
  for (const message of interrupted) {
    const { organization_id: organizationId, id } = message
    await db.transaction().execute(async (tx) => {
      const stored = await findStoredRun(tx, organizationId, id)
      const ended = { status: 'completed', error_message: reason, updated_at: at } as const
      const known = stored && {
        response: stored.response,
        reasoning: stored.reasoning,
        output_count: stored.outputCount,
        events: JSON.stringify([...stored.log, { type: 'error', seq: lastSeqOf(stored.log) + 1, text: reason }]),
      }
      await tx
        .updateTable('message')
        .set({ ...ended, ...known, ...(stored && (await recordUsage(tx, usage, message, stored, at))) })
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .execute()
      if (stored) await deleteStoredRun(tx, organizationId, id)
    })
  }
  return interrupted.length
}

/** Of what a run used, as much as is known: the turns of its models before the last result of a tool. */
async function recordUsage(tx: Tx, usage: UsageService, message: Interrupted, { agents }: StoredRun, at: string) {
  const {
    organization_id: organizationId,
    agent_id: agentId,
    virtual_user_id: virtualUserId,
    api_key_id: keyId,
  } = message
  const model = agents.spent.find((spent) => spent.agentId === agentId)?.model
  const workspaceId = await workspaceOfChat(tx, organizationId, message.chat_id)
  if (model === undefined || workspaceId === undefined) return {}
  const used = usage.price({ workspaceId, agentId, virtualUserId, keyId, model, parts: agents.spent, at })
  await usage.record(tx, organizationId, used)
  return { model, cost_micros: used.costMicros, ...tokenColumns(totalOf(agents.spent)) }
}
