import { ModelError } from '../../platform/models/failures/model.errors.ts'
import type { LanguageModel, ModelUsage } from '../../platform/models/model.ts'
import { shorten } from './shorten.ts'
import { summaryPrompt } from './summary-prompt.ts'
import type { Turn } from './turns.store.ts'
import { fitTurn } from './turns.ts'

export interface WrittenSummary {
  text: string
  /** How many of the turns it tells of, from the first. */
  turns: number
  usage: ModelUsage
}

/**
 * Shares of a model's window for what it reads at once and what it may write, thoughts included; limits in tokens.
 */
const INPUT_SHARE = 0.5
const MOST_INPUT_TOKENS = 60_000
const LEAST_INPUT_TOKENS = 500
const OUTPUT_SHARE = 0.25
const MOST_OUTPUT_TOKENS = 8000
/** A model that writes more than it was asked for is cut here. */
const MOST_OVERLENGTH = 2

/**
 * Has the model sum up a summary and turns that came after it, as many as it can read at once. When the provider finds
 * that too long after all, it is given half.
 * @throws ModelError
 */
export async function writeSummary(
  model: LanguageModel,
  { summary, turns, targetTokens }: { summary: string | undefined; turns: Turn[]; targetTokens: number },
  signal: AbortSignal,
): Promise<WrittenSummary> {
  let room = Math.min(model.contextTokens * INPUT_SHARE, MOST_INPUT_TOKENS)
  for (;;) {
    const read = firstOf(turns, room)
    try {
      const { text, usage } = await model.generate(
        {
          messages: summaryPrompt({ summary, turns: read, targetTokens }),
          tools: [],
          maxOutputTokens: Math.floor(Math.min(model.contextTokens * OUTPUT_SHARE, MOST_OUTPUT_TOKENS)),
        },
        { onDeltas: () => {}, signal },
      )
      if (text.trim() === '') throw new ModelError('unreadable', 'The model wrote no summary')
      return { text: shorten(text.trim(), targetTokens * MOST_OVERLENGTH).text, turns: read.length, usage }
    } catch (error) {
      room /= 2
      if (!(error instanceof ModelError && error.reason === 'too-long') || room < LEAST_INPUT_TOKENS) throw error
    }
  }
}

/** First turns that fit, at least one; its long texts are shortened. */
function firstOf(turns: Turn[], mostTokens: number): Turn[] {
  const read: Turn[] = []
  let tokens = 0
  for (const turn of turns) {
    const fitted = fitTurn(turn, mostTokens)
    tokens += fitted.tokens
    if (tokens > mostTokens && read.length > 0) break
    read.push(fitted)
  }
  return read
}
