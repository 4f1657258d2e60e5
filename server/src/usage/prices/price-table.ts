import { z } from 'zod'
import type { ListedPrice, ModelUsage } from '../../platform/models/model.ts'

const dollars = z.number('must be a number of US dollars').min(0, 'must not be negative').max(1_000_000)

/** US dollars for a million tokens. */
const Price = z.preprocess(
  withTokens,
  z.strictObject({
    input: dollars,
    /** Input that the provider had kept from before. Default: as `input`. */
    cached_input: dollars.optional(),
    output: dollars,
    /** Output that is reasoning. Default: as `output`. */
    reasoning: dollars.optional(),
    /** A minute of sound that is transcribed. Default: what its tokens cost. */
    audio_minute: dollars.optional(),
  }),
)

/** A model for nothing but speech has a price by the minute, and none for tokens. */
function withTokens(price: unknown): unknown {
  const isByMinute = typeof price === 'object' && price !== null && 'audio_minute' in price
  return isByMinute ? { input: 0, output: 0, ...price } : price
}

const PriceFile = z.record(
  z.string().regex(/^(\*|[^\s/]+\/\S+)$/, 'must be PROVIDER/MODEL, in which * stands for anything, or *'),
  Price,
  'must be an object: {"PROVIDER/MODEL": {"input": DOLLARS, "output": DOLLARS}}',
)

export interface ModelPrice {
  /** `openai/gpt-4.1`, `openai/*`, `*` */
  pattern: string
  input: number
  cachedInput: number
  output: number
  reasoning: number
  /** US dollars for a minute of sound; null: sound costs what its tokens do. */
  audioMinute: number | null
}

type TokenPrices = Pick<ModelPrice, 'input' | 'cachedInput' | 'output' | 'reasoning'>

/** Price of models that run in this process: nothing, unless the operator says otherwise. */
const FREE: ModelPrice = { pattern: 'builtin/*', input: 0, cachedInput: 0, output: 0, reasoning: 0, audioMinute: 0 }

/**
 * Reads a table of prices: `{"openai/gpt-4.1": {"input": 2, "cached_input": 0.5, "output": 8}, "ollama/*": ...}`.
 * @throws Error that says in one line what to change
 */
export function parsePrices(text: string): ModelPrice[] {
  const result = PriceFile.safeParse(JSON.parse(text.replace(/^\uFEFF/, '')))
  if (!result.success) {
    const issue = result.error.issues[0]!
    const { message } = issue.code === 'invalid_key' ? issue.issues[0]! : issue
    throw new Error([...issue.path, message].join(': '))
  }
  return Object.entries(result.data).map(([pattern, { input, cached_input, output, reasoning, audio_minute }]) => ({
    pattern,
    input,
    cachedInput: cached_input ?? input,
    output,
    reasoning: reasoning ?? output,
    audioMinute: audio_minute ?? null,
  }))
}

/** The price of each model: that of the pattern which says most of its name. */
export function createPriceTable(prices: ModelPrice[]) {
  const sorted = byPrecision([...prices, FREE])
  const rules = sorted.map((price) => ({ price, matches: matcherOf(price.pattern) }))
  const known = new Map<string, ModelPrice | undefined>()

  function find(model: string): ModelPrice | undefined {
    if (known.has(model)) return known.get(model)
    const price = rules.find(({ matches }) => matches(model))?.price
    known.set(model, price)
    return price
  }

  return {
    /** The first that fits a model holds. */
    prices: sorted,

    /** Price of a model; undefined where none is known. */
    priceOf: find,

    /**
     * Millionths of a US dollar, rounded; null where no price is known.
     * @param listed price by the provider's own list: it counts for a model that the table has none for
     */
    costOf(model: string, usage: ModelUsage, listed?: ListedPrice): number | null {
      const price = find(model) ?? (listed && { cachedInput: listed.input, reasoning: listed.output, ...listed })
      return price ? Math.round(microsOf(price, usage)) : null
    },

    /** Cost of sound that was transcribed, by its minutes or else by its tokens, as `costOf`. */
    costOfSpeech(model: string, { audioSeconds, usage }: { audioSeconds: number; usage: ModelUsage }): number | null {
      const price = find(model)
      if (price && price.audioMinute !== null) return Math.round((audioSeconds / 60) * price.audioMinute * 1_000_000)
      return price && usage.inputTokens + usage.outputTokens > 0 ? Math.round(microsOf(price, usage)) : null
    },
  }
}

/** Dollars for a million tokens are millionths of a dollar for each. */
const microsOf = (price: TokenPrices, usage: ModelUsage): number =>
  (usage.inputTokens - usage.cachedInputTokens) * price.input +
  usage.cachedInputTokens * price.cachedInput +
  (usage.outputTokens - usage.reasoningTokens) * price.output +
  usage.reasoningTokens * price.reasoning

/** Whole names first, then the longer of two patterns; of equals, the earlier. */
const byPrecision = (prices: ModelPrice[]): ModelPrice[] =>
  prices.toSorted((a, b) => precisionOf(b.pattern) - precisionOf(a.pattern))

const precisionOf = (pattern: string): number =>
  pattern.includes('*') ? pattern.replaceAll('*', '').length : Number.POSITIVE_INFINITY

function matcherOf(pattern: string): (model: string) => boolean {
  if (!pattern.includes('*')) return (model) => model === pattern
  const [start = '', ...rest] = pattern.split('*')
  const end = rest.pop() ?? ''
  return (model) => {
    if (!model.startsWith(start) || !model.endsWith(end) || model.length < start.length + end.length) return false
    let at = start.length
    return rest.every((part) => {
      const found = model.indexOf(part, at)
      at = found + part.length
      return found >= 0 && at <= model.length - end.length
    })
  }
}
