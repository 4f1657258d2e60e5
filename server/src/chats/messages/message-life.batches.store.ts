import { sql } from 'kysely'
import type { Db, Tables, Tx } from '../../db.ts'
import { prepared } from '../../platform/database/statements/prepared.ts'
import { together } from '../../platform/database/statements/together.ts'
import type { PlainUsage } from '../../usage/usage.ts'
import type { Fence, RunResult } from './message-life.store.ts'
import type { MessageRecord } from './messages.store.ts'

/** The end of a message that nothing else follows from but its tokens and its usage. */
export interface PlainEnd {
  fence: Fence & { chatId: string }
  result: RunResult
  used: PlainUsage
  /** Whether a webhook is sent about it. */
  isDelivered: boolean
}

/** A column of each, as arrays of one length. */
interface Columns {
  organizationId: string
  ids: string[]
  attempts: number[]
  chatIds: string[]
  responses: string[]
  reasonings: string[]
  errors: (string | null)[]
  citations: string[]
  logs: string[]
  outputCounts: number[]
  models: string[]
  inputTokens: number[]
  cachedInputTokens: number[]
  outputTokens: number[]
  reasoningTokens: number[]
  costs: (number | null)[]
  endedAt: string[]
  workspaceIds: string[]
  agentIds: string[]
  keyIds: string[]
  days: string[]
}

const SUMMED =
  'messages input_tokens cached_input_tokens output_tokens reasoning_tokens cost_micros unpriced_tokens'.split(' ')
const added = sql.raw(SUMMED.map((amount) => `${amount} = usage_sum.${amount} + excluded.${amount}`).join(', '))

/** A parameter: written out, it lets the planner go through all that is in progress, instead of looking for each by its id. */
const IN_PROGRESS = 'in_progress'

/**
 * `completeMessage` for many, with their tokens in the chats and their usage in the sums, in one statement: PostgreSQL
 * only. Sums are taken in the order of their key, so that two processes never wait for each other in a circle.
 */
const completeAll = prepared<Tables, Columns, { id: string }>((db, of) => {
  const statement = sql<{ id: string }>`
    with ended as (
      select * from unnest(${of.ids}::text[], ${of.attempts}::bigint[], ${of.chatIds}::text[],
        ${of.responses}::text[], ${of.reasonings}::text[], ${of.errors}::text[], ${of.citations}::text[],
        ${of.logs}::text[], ${of.outputCounts}::bigint[], ${of.models}::text[], ${of.inputTokens}::bigint[],
        ${of.cachedInputTokens}::bigint[], ${of.outputTokens}::bigint[], ${of.reasoningTokens}::bigint[],
        ${of.costs}::bigint[], ${of.endedAt}::text[], ${of.workspaceIds}::text[], ${of.agentIds}::text[],
        ${of.keyIds}::text[], ${of.days}::text[])
      as ended (id, attempt, chat_id, response, reasoning, error_message, citations, events, output_count, model,
        input_tokens, cached_input_tokens, output_tokens, reasoning_tokens, cost_micros, updated_at, workspace_id,
        agent_id, api_key_id, day)
    ), held as (
      update message set status = 'completed', response = ended.response, reasoning = ended.reasoning,
        error_message = ended.error_message, citations = ended.citations, events = ended.events,
        output_count = ended.output_count, model = ended.model, input_tokens = ended.input_tokens,
        cached_input_tokens = ended.cached_input_tokens, output_tokens = ended.output_tokens,
        reasoning_tokens = ended.reasoning_tokens, cost_micros = ended.cost_micros, updated_at = ended.updated_at
      from ended
      where message.organization_id = ${of.organizationId} and message.id = ended.id
        and message.attempt = ended.attempt and message.status = ${IN_PROGRESS} and message.process_id != ''
      returning ended.*
    ), counted as (
      update chat set total_tokens = chat.total_tokens + used.tokens
      from (select chat_id, sum(input_tokens + output_tokens) as tokens from held group by chat_id) used
      where chat.organization_id = ${of.organizationId} and chat.id = used.chat_id and used.tokens > 0
    ), summed as (
      insert into usage_sum (organization_id, workspace_id, kind, period, agent_id, virtual_user_id, api_key_id, model,
        messages, input_tokens, cached_input_tokens, output_tokens, reasoning_tokens, cost_micros, unpriced_tokens)
      select ${of.organizationId}, workspace_id, 'day', day, agent_id, '', api_key_id, model, count(*),
        sum(input_tokens), sum(cached_input_tokens), sum(output_tokens), sum(reasoning_tokens),
        coalesce(sum(cost_micros), 0),
        coalesce(sum(input_tokens + output_tokens) filter (where cost_micros is null), 0)
      from held group by workspace_id, day, agent_id, api_key_id, model
      order by workspace_id, day, agent_id, api_key_id, model
      on conflict (workspace_id, kind, period, agent_id, virtual_user_id, api_key_id, model) do update set ${added}
    )
    select id from held`
  return { compile: () => statement.compile(db) }
})

/** @returns of each whether it applied, as `completeMessage` does: all of those that did are committed then. */
export async function completeTogether(db: Db, organizationId: string, ends: PlainEnd[]): Promise<boolean[]> {
  const results = ends.map(({ result }) => result)
  const statement = completeAll.bind(db, {
    organizationId,
    ids: ends.map(({ fence }) => fence.messageId),
    attempts: ends.map(({ fence }) => fence.attempt),
    chatIds: ends.map(({ fence }) => fence.chatId),
    responses: results.map(({ response }) => response),
    reasonings: results.map(({ reasoning }) => reasoning),
    errors: results.map(({ errorMessage }) => errorMessage),
    citations: results.map(({ citations }) => JSON.stringify(citations)),
    logs: results.map(({ log }) => JSON.stringify(log)),
    outputCounts: results.map(({ outputCount }) => outputCount),
    models: results.map(({ model }) => model),
    inputTokens: results.map(({ usage }) => usage.inputTokens),
    cachedInputTokens: results.map(({ usage }) => usage.cachedInputTokens),
    outputTokens: results.map(({ usage }) => usage.outputTokens),
    reasoningTokens: results.map(({ usage }) => usage.reasoningTokens),
    costs: results.map(({ costMicros }) => costMicros),
    endedAt: results.map(({ at }) => at),
    workspaceIds: ends.map(({ used }) => used.workspaceId),
    agentIds: ends.map(({ used }) => used.agentId),
    keyIds: ends.map(({ used }) => used.keyId ?? ''),
    days: ends.map(({ used }) => used.day),
  })
  const [{ rows }] = await together(db, [statement], { isBatch: true })
  const applied = new Set(rows.map(({ id }) => id))
  return ends.map(({ fence }) => applied.has(fence.messageId))
}

/**
 * Gives some ended messages of a person to another one.
 * @returns how many; none when only messages that are not at their end are left
 */
export async function moveMessages(
  tx: Tx,
  organizationId: string,
  { fromId, toId, limit }: { fromId: string; toId: string; limit: number },
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('message')
    .set({ virtual_user_id: toId })
    .where('organization_id', '=', organizationId)
    .where('id', 'in', (from) =>
      from
        .selectFrom('message')
        .select('id')
        .where('organization_id', '=', organizationId)
        .where('virtual_user_id', '=', fromId)
        .where('status', '=', 'completed')
        .limit(limit),
    )
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Stores what people note on a message, in whatever state it is. */
export async function updateMessage(
  tx: Tx,
  organizationId: string,
  messageId: string,
  { isPinned, feedbackRating, feedbackComment }: Partial<MessageRecord>,
): Promise<void> {
  await tx
    .updateTable('message')
    .set({ is_pinned: isPinned, feedback_rating: feedbackRating, feedback_comment: feedbackComment })
    .where('organization_id', '=', organizationId)
    .where('id', '=', messageId)
    .execute()
}
