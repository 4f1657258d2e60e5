import { totalOf } from '../../../agents/agents.ts'
import type { Tx } from '../../../db.ts'
import type { KernelParts } from '../../../kernel-parts.ts'
import { isoNow } from '../../../platform/clock.ts'
import type { Membership } from '../../../platform/cluster/membership/membership.ts'
import type { UsageService } from '../../../usage/usage.ts'
import type { WebhookService } from '../../../webhooks/webhooks.ts'
import { countTokens } from '../../chat/chat-counts.store.ts'
import { findWorkspaceOfChat } from '../../chat/chats.store.ts'
import { claimMessage, endMessage, fenceOf } from '../../messages/message-life.store.ts'
import { findMessage, type MessageRecord } from '../../messages/messages.store.ts'
import type { Held } from '../directory/holders.store.ts'
import { LOST_NUMBERS, type LogEntry, lastSeqOf } from '../run-log.ts'
import { logOf } from './stored-events.ts'
import { deleteStoredRun, findStoredRun, type StoredRun } from './stored-run.ts'

export type EndUnattended = ReturnType<typeof createEndUnattended>

export interface EndUnattendedOptions extends Pick<KernelParts, 'clock' | 'writes'> {
  usage: UsageService
  webhooks: WebhookService
  membership: Pick<Membership, 'id'>
}

/** Ends messages that are in progress while no process runs them. */
export function createEndUnattended({ writes, usage, webhooks, clock, membership }: EndUnattendedOptions) {
  /**
   * The message ends with what it said and did as far as that is stored.
   * @returns false when another process was faster, or it continued or ended meanwhile.
   */
  return (held: Held, reason: string): Promise<boolean> =>
    writes.commit(async (tx) => {
      const { organizationId, id } = held
      // A process wrongly considered dead must not write any more: the claim raises the attempt.
      if (!(await claimMessage(tx, fenceOf(held), membership.id))) return false
      const message = (await findMessage(tx, organizationId, id))!
      const stored = await findStoredRun(tx, organizationId, id)
      const at = isoNow(clock)
      await endMessage(tx, fenceOf(message), {
        errorMessage: reason,
        log: interruptedLog(message, reason),
        at,
        ...(stored && { outputCount: stored.outputCount, ...(await recordUsage(tx, usage, message, stored, at)) }),
      })
      if (stored) await deleteStoredRun(tx, organizationId, id)
      if (message.mode === 'async') await webhooks.deliver(tx, organizationId, [id])
      return true
    })
}

/** Stored log, and the error after all that its readers may have seen beyond that. */
function interruptedLog(message: MessageRecord, reason: string): LogEntry[] {
  const log = logOf(message)
  return [...log, { type: 'error', seq: lastSeqOf(log) + 1 + LOST_NUMBERS, text: reason }]
}

/** Records the known usage of a run: the replies of its models before the last result of a tool. */
async function recordUsage(tx: Tx, usage: UsageService, message: MessageRecord, { agents }: StoredRun, at: string) {
  const { organizationId, agentId, virtualUserId, apiKeyId: keyId } = message
  const model = agents.spent.find((spent) => spent.agentId === agentId)?.model
  const workspaceId = await findWorkspaceOfChat(tx, organizationId, message.chatId)
  if (model === undefined || workspaceId === undefined) return {}
  const used = usage.price({ workspaceId, agentId, virtualUserId, keyId, model, parts: agents.spent, at })
  await usage.record(tx, organizationId, used)
  const total = totalOf(agents.spent)
  await countTokens(tx, organizationId, message.chatId, total.inputTokens + total.outputTokens)
  return { model, costMicros: used.costMicros, usage: total }
}
