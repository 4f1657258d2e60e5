import type { AgentService } from '../../agents/agents.ts'
import type { Db } from '../../db.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { estimateTokens } from '../../platform/models/estimate-tokens.ts'
import type { LanguageModel } from '../../platform/models/model.ts'
import type { Models } from '../../platform/models/models.ts'
import type { UsageService } from '../../usage/usage.ts'
import { recordBackgroundUsage } from '../background-usage.ts'
import { KEPT_SHARE, KEPT_TURNS, MOST_TURNS, SUM_UP_FROM, SUM_UP_FROM_TURNS } from './budget.ts'
import { type ChatMemory, type Cursor, findChatMemory, isAfter, putSummary, type Summary } from './memory.store.ts'
import { findChatPlace, findOldestRunning, findTurnBefore, isSetAside, listOldestBetween } from './turns.store.ts'
import { fitTurn, listNewestTurns } from './turns.ts'
import { writeSummary } from './write-summary.ts'

export interface SummarizerOptions extends Pick<KernelParts, 'clock' | 'db' | 'writes'> {
  agents: Pick<AgentService, 'ofOrganization'>
  models: Models
  usage: Pick<UsageService, 'price' | 'record'>
}

interface Work {
  organizationId: string
  workspaceId: string
  agentId: string
  chatId: string
  model: LanguageModel
  /** Budget of the chat's history. */
  budgetTokens: number
  signal: AbortSignal
}

const SUMMARY_SHARE = 0.1
const LEAST_SUMMARY_TOKENS = 150
const MOST_SUMMARY_TOKENS = 2000
/** Read for one turn of the model. */
const MOST_TURNS_AT_ONCE = 200
/** Most turns that are summed up: to begin further back would cost a model's turn for every part of it. */
const MOST_TURNS_IN_ALL = 1000
/** Turns of the model in one task; the next answer of the chat continues the work. */
const MOST_STEPS = 8
/** A message may be deleted while the model writes. */
const MOST_ATTEMPTS = 3

/**
 * Sums up the older turns of a chat whose history takes most of its budget, on top of the summary that is there, in
 * steps that a model can read at once. A step during which a message was deleted is not kept.
 * @throws ModelError; what was summed up until then is kept.
 */
export async function summarizeChat(
  options: SummarizerOptions,
  organizationId: string,
  { chatId, budgetTokens }: { chatId: string; budgetTokens: number },
  signal: AbortSignal,
): Promise<void> {
  const { db, agents, models } = options
  const chat = await findChatPlace(db, organizationId, chatId)
  if (!chat) return
  const agent = await agents.ofOrganization(organizationId, chat.agentId)
  const { defaults, resolve } = await models.of(agent)
  const model = defaults.summaries ? resolve(defaults.summaries) : await models.resolveFor(agent)
  if (model.onlyQuotes) return
  const contextTokens = (await model.askWindow?.()) ?? model.contextTokens
  const work = { organizationId, ...chat, chatId, model: { ...model, contextTokens }, budgetTokens, signal }
  await sumUp(options, work)
}

async function sumUp(options: SummarizerOptions, work: Work): Promise<void> {
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
    const memory = await findMemoryOfBranch(options.db, work)
    const end = await endOfOlderTurns(options.db, work, memory)
    if (!end || (await extendSummary(options, end, work, memory, MOST_STEPS))) return
  }
}

/** Memory of the branch that is shown: the summary of another one is rewritten. */
async function findMemoryOfBranch(db: Db, { organizationId, chatId }: Work): Promise<ChatMemory> {
  const memory = await findChatMemory(db, organizationId, chatId)
  const isOfOther = memory.summary && (await isSetAside(db, organizationId, memory.summary.covers.id))
  return isOfOther ? { ...memory, summary: undefined } : memory
}

/** Start of the turns kept verbatim; undefined if the whole history fits. */
async function endOfOlderTurns(db: Db, work: Work, memory: ChatMemory): Promise<Cursor | undefined> {
  const kept = await oldestToKeep(db, work, memory)
  const running = kept && (await findOldestRunning(db, work.organizationId, work))
  // Not beyond a message that is being answered: its turn would be missing from all later summaries.
  return running && isAfter(kept, running) ? running : kept
}

async function oldestToKeep(db: Db, work: Work, { summary }: ChatMemory): Promise<Cursor | undefined> {
  const { organizationId, chatId, budgetTokens } = work
  const limits = { after: summary?.covers, mostTurns: MOST_TURNS, mostTokens: budgetTokens }
  const turns = await listNewestTurns(db, organizationId, chatId, limits)
  const summaryTokens = summary ? estimateTokens(summary.text) : 0
  let tokens = 0
  let count = 0
  let kept: Cursor | undefined
  for (const turn of turns) {
    tokens += fitTurn(turn, budgetTokens).tokens
    count += 1
    const mayStay = tokens <= budgetTokens * KEPT_SHARE && count <= KEPT_TURNS
    if (mayStay || !kept) kept = turn
    if (summaryTokens + tokens > budgetTokens * SUM_UP_FROM || count >= SUM_UP_FROM_TURNS) return kept
  }
  return undefined
}

/** @returns false when the chat has changed meanwhile, so that the work has to start over. */
async function extendSummary(
  options: SummarizerOptions,
  end: Cursor,
  work: Work,
  memory: ChatMemory,
  stepsLeft: number,
): Promise<boolean> {
  const { db, writes, clock, usage } = options
  const { version, summary } = memory
  const { organizationId, chatId, model, budgetTokens, signal } = work
  const after =
    summary?.covers ?? (await findTurnBefore(db, organizationId, chatId, { before: end, distance: MOST_TURNS_IN_ALL }))
  const turns = await listOldestBetween(db, organizationId, chatId, { after, before: end, limit: MOST_TURNS_AT_ONCE })
  if (turns.length === 0 || stepsLeft === 0) return true
  const targetTokens = Math.min(Math.max(budgetTokens * SUMMARY_SHARE, LEAST_SUMMARY_TOKENS), MOST_SUMMARY_TOKENS)
  const written = await writeSummary(model, { summary: summary?.text, turns, targetTokens }, signal)
  const { createdAt, id } = turns[written.turns - 1]!
  const extended: Summary = {
    text: written.text,
    covers: { createdAt, id },
    turns: (summary?.turns ?? 0) + written.turns,
  }
  const isKept = await writes.commit(async (tx) => {
    const at = isoNow(clock)
    await recordBackgroundUsage(usage, tx, work, written.usage, at)
    return putSummary(tx, organizationId, chatId, { version, summary: extended, budgetTokens, model: model.id, at })
  })
  if (isKept && turns.length < MOST_TURNS_AT_ONCE && written.turns === turns.length) return true
  return isKept && extendSummary(options, end, work, { version: version + 1, summary: extended }, stepsLeft - 1)
}
