import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { GenerateOptions } from '../../platform/models/model.ts'

/** Words that are handed over at once; the event loop turns after each such batch. */
const WORDS_PER_BATCH = 4

/** Hands a text over word by word. @throws the signal's reason as soon as it is aborted */
export async function streamText(text: string, { onDeltas, signal }: GenerateOptions): Promise<void> {
  const words = text.match(/\s*\S+\s*$|\s*\S+/g) ?? []
  for (let start = 0; start < words.length; start += WORDS_PER_BATCH) {
    signal.throwIfAborted()
    onDeltas(words.slice(start, start + WORDS_PER_BATCH).map((word) => ({ type: 'text', text: word })))
    await yieldToEventLoop()
  }
  signal.throwIfAborted()
}
