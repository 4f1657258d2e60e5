import { estimateTokens } from '../../platform/models/estimate-tokens.ts'

export interface Measured {
  text: string
  tokens: number
}

/**
 * The text as it is if it has no more than this many tokens; else its beginning and its end, with a note in between.
 */
export function shorten(text: string, mostTokens: number): Measured {
  const tokens = estimateTokens(text)
  if (tokens <= mostTokens) return { text, tokens }
  let kept = Math.floor((text.length * mostTokens) / tokens)
  for (;;) {
    const half = Math.floor(kept / 2)
    const left = text.length - 2 * half
    const short = `${whole(text.slice(0, half))}\n[… ${left} characters left out …]\n${whole(text.slice(text.length - half))}`
    const shortTokens = estimateTokens(short)
    if (shortTokens <= mostTokens || half === 0) return { text: short, tokens: shortTokens }
    kept = Math.floor(kept * 0.85)
  }
}

/** Removes half of a surrogate pair that a cut may have left at either end. */
const whole = (text: string): string => text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '')
