import { expect, test } from 'vitest'
import { parseModelPatterns } from './model-patterns.ts'

test.each([
  ['openai/*', 'openai/gpt-x', true],
  ['openai/*', 'openai-compatible/gpt-x', false],
  ['ollama/llava:7b, ollama/x', 'ollama/LLaVA:7b', true],
  ['ollama/llava', 'ollama/llava:7b', false],
  ['*', 'openai-compatible/org/model', true],
  ['', 'openai/gpt-x', false],
  ['a/b.c', 'a/bxc', false],
])('%j and the model %s: %s', (patterns, id, isMeant) => {
  expect(parseModelPatterns(patterns)(id)).toBe(isMeant)
})

test.each(['llava', 'openai/a openai/b', 'openai/a;openai/b'])('%j is refused', (text) => {
  expect(() => parseModelPatterns(text)).toThrow(/must be a list of models/)
})
