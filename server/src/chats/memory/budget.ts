import type { HistoryRoom } from '../../agents/agents.ts'
import { estimateTokens, MOST_TOKENS_PER_CHARACTER } from '../../platform/models/estimate-tokens.ts'
import type { ModelTool } from '../../platform/models/model.ts'

/** Tokens for earlier turns of a chat. */
export interface Budget {
  /** Room before this question. */
  now: number
  /** Room before a short question: decides when older turns are summed up. */
  usual: number
}

/** Turns that a history has at most, however short they are: each of them is sent with every question. */
export const MOST_TURNS = 40
/** Turns at which older ones are summed up, and how many of the newest stay as they are then. */
export const SUM_UP_FROM_TURNS = 32
export const KEPT_TURNS = 8
/** Shares of the usual budget of tokens at which older turns are summed up, and that the newest keep. */
export const SUM_UP_FROM = 0.7
export const KEPT_SHARE = 0.3

/** Kept free for the answer. */
const OUTPUT_SHARE = 0.2
const MOST_OUTPUT = 16_000
/** Share of the remaining window for earlier turns; tools' results need the rest. */
const HISTORY_SHARE = 0.5

/** @param most upper limit of the budget, however large the window is */
export const budgetOf = (room: HistoryRoom, most: number): Budget => budget(room, most, estimateTokens)

/** A budget that is not higher than that, without counting anything. */
export const lowestBudgetOf = (room: HistoryRoom, most: number): Budget => budget(room, most, mostTokensOf)

export const mostTokensOf = ({ length }: { length: number }): number => length * MOST_TOKENS_PER_CHARACTER

function budget(
  { contextTokens, system, tools, question, share }: HistoryRoom,
  most: number,
  count: (text: string) => number,
): Budget {
  const prompt = count(system) + tools.reduce((sum, tool) => sum + count(asText(tool)), 0)
  const free = contextTokens - Math.min(contextTokens * OUTPUT_SHARE, MOST_OUTPUT) - prompt
  const of = (tokens: number) => Math.max(0, Math.floor(Math.min(tokens * HISTORY_SHARE, most) * share))
  return { now: of(free - count(question)), usual: of(free) }
}

const texts = new WeakMap<ModelTool, string>()

/** Built-in tools are the same objects in every run. */
function asText(tool: ModelTool): string {
  let text = texts.get(tool)
  if (text === undefined) {
    text = JSON.stringify(tool)
    texts.set(tool, text)
  }
  return text
}
