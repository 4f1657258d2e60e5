import { expect, test } from 'vitest'
import { createPriceTable, parsePrices } from './price-table.ts'

const million = 1_000_000
const usage = { inputTokens: million, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0 }
const tableOf = (prices: object) => createPriceTable(parsePrices(JSON.stringify(prices)))
const input = (price: number) => ({ input: price, output: 0 })

test('the pattern that says most of the name of a model gives its price', () => {
  const table = tableOf({
    '*': input(1),
    'openai/*': input(2),
    'openai/gpt-4.1*': input(3),
    'openai/gpt-4.1': input(4),
    'openai/*-mini': input(2.5),
  })
  const priceOf = (model: string) => table.costOf(model, usage)! / million
  expect(priceOf('anthropic/claude')).toBe(1)
  expect(priceOf('openai/o3')).toBe(2)
  expect(priceOf('openai/o3-mini')).toBe(2.5)
  expect(priceOf('openai/gpt-4.1-nano')).toBe(3)
  expect(priceOf('openai/gpt-4.1')).toBe(4)
})

test('a star in the middle stands for anything, but nothing is matched twice', () => {
  const table = tableOf({ 'a/x*y*x': input(1) })
  const isPriced = (model: string) => table.costOf(model, usage) !== null
  expect(['a/xyx', 'a/x1y2x'].map(isPriced)).toEqual([true, true])
  expect(['a/xx', 'a/xy', 'a/x1x', 'b/xyx', 'a/xyxz'].map(isPriced)).toEqual([false, false, false, false, false])
})

test('cached input and reasoning have their own price, or that of input and output', () => {
  const used = { inputTokens: 1000, cachedInputTokens: 400, outputTokens: 200, reasoningTokens: 150 }
  expect(tableOf({ '*': { input: 2, cached_input: 0.5, output: 8, reasoning: 10 } }).costOf('a/b', used)).toBe(
    600 * 2 + 400 * 0.5 + 50 * 8 + 150 * 10,
  )
  expect(tableOf({ '*': { input: 2, output: 8 } }).costOf('a/b', used)).toBe(1000 * 2 + 200 * 8)
})

test('a price that the provider lists counts where the table has none', () => {
  const used = { inputTokens: 1000, cachedInputTokens: 400, outputTokens: 200, reasoningTokens: 150 }
  const table = tableOf({ 'a/b': { input: 1, output: 1 } })
  expect(table.costOf('a/b', used, { input: 2, output: 8 })).toBe(1200)
  expect(table.costOf('a/c', used, { input: 2, output: 8 })).toBe(1000 * 2 + 200 * 8)
  expect(table.costOf('a/c', used, { input: 2, cachedInput: 0.5, output: 8 })).toBe(600 * 2 + 400 * 0.5 + 200 * 8)
  expect(table.costOf('builtin/extractive', used, { input: 2, output: 8 })).toBe(0)
})

test('costs are whole millionths of a dollar', () => {
  const one = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, reasoningTokens: 0 }
  expect(tableOf({ '*': { input: 0.4, output: 0.3 } }).costOf('a/b', one)).toBe(1)
})

test('sound costs by the minute, or else by its tokens', () => {
  const table = tableOf({ 'a/whisper': { audio_minute: 0.006 }, 'a/gpt-transcribe': { input: 2, output: 8 } })
  const tokens = { inputTokens: 1000, cachedInputTokens: 0, outputTokens: 100, reasoningTokens: 0 }
  const none = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0 }
  expect(table.costOfSpeech('a/whisper', { audioSeconds: 90, usage: none })).toBe(9_000)
  expect(table.costOfSpeech('a/whisper', { audioSeconds: 90, usage: tokens })).toBe(9_000)
  expect(table.costOfSpeech('a/gpt-transcribe', { audioSeconds: 90, usage: tokens })).toBe(2_800)
  expect(table.costOfSpeech('a/gpt-transcribe', { audioSeconds: 90, usage: none })).toBeNull()
  expect(table.costOfSpeech('b/whisper', { audioSeconds: 90, usage: tokens })).toBeNull()
})

test('without a price there is no cost, but what runs in the server is free', () => {
  const table = createPriceTable([])
  expect(table.costOf('openai/gpt-4.1', usage)).toBeNull()
  expect(table.costOf('builtin/extractive', usage)).toBe(0)
  expect(tableOf({ 'builtin/extractive': input(1) }).costOf('builtin/extractive', usage)).toBe(million)
})

test.each([
  ['{', /JSON/],
  ['[]', /^must be an object/],
  ['{"openai/gpt": {"input": 1}}', /^openai\/gpt: output: /],
  ['{"openai/gpt": {"input": "1", "output": 1}}', /^openai\/gpt: input: must be a number of US dollars/],
  ['{"openai/gpt": {"input": -1, "output": 1}}', /^openai\/gpt: input: must not be negative/],
  ['{"openai/whisper-1": {"audio_minute": "1"}}', /^openai\/whisper-1: audio_minute: must be a number of US dollars/],
  ['{"openai/gpt": {"input": 1, "ouput": 1, "output": 1}}', /ouput/],
  ['{"gpt-4.1": {"input": 1, "output": 1}}', /gpt-4\.1: must be PROVIDER\/MODEL/],
])('%s is refused with a reason', (text, reason) => {
  expect(() => parsePrices(text)).toThrow(reason)
})
