import { z } from 'zod'
import type { ModelUsage } from '../model.ts'

const seconds = z.number().nonnegative()
const tokens = z.number().int().nonnegative()

/** Answer of `/audio/transcriptions` as `json` or `verbose_json`; servers leave out all but the text. */
const Answer = z.object({
  text: z.string(),
  duration: z
    .union([seconds, z.string().transform(Number).pipe(seconds)])
    .optional()
    .catch(undefined),
  segments: z
    .array(z.object({ start: seconds, end: seconds, text: z.string() }))
    .optional()
    .catch(undefined),
  usage: z
    .object({
      seconds: seconds.optional().catch(undefined),
      input_tokens: tokens.optional().catch(undefined),
      output_tokens: tokens.optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
})

/** Words of a recording, and what a provider tells of it. */
export interface Transcription {
  text: string
  /** Times in seconds; absent where none are told. */
  segments: { start: number; end: number; text: string }[] | undefined
  /** Length of the recording, where it is told. */
  seconds: number | undefined
  /** Tokens, where the provider counts by them. */
  usage: ModelUsage | undefined
}

/** @returns undefined for what is no such answer */
export function readAnswer(answer: unknown): Transcription | undefined {
  const { data } = Answer.safeParse(answer)
  if (!data) return undefined
  const { input_tokens: inputTokens, output_tokens: outputTokens = 0 } = data.usage ?? {}
  return {
    text: data.text.trim(),
    segments: data.segments?.length ? data.segments : undefined,
    seconds: data.usage?.seconds ?? data.duration,
    usage:
      inputTokens === undefined ? undefined : { inputTokens, cachedInputTokens: 0, outputTokens, reasoningTokens: 0 },
  }
}
