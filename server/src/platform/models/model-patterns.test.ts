import { expect, test } from 'vitest'
import { DEFAULT_SEEING, parseModelPatterns } from './model-patterns.ts'

test.each([
  ['openai/*', 'openai/gpt-x', true],
  ['openai/*', 'openai-compatible/gpt-x', false],
  ['ollama/llava:7b, ollama/x', 'ollama/LLaVA:7b', true],
  ['ollama/llava', 'ollama/llava:7b', false],
  ['*', 'openai-compatible/org/model', true],
  ['', 'openai/gpt-x', false],
  ['a/b.c', 'a/bxc', false],
  [DEFAULT_SEEING, 'anthropic/claude-x', true],
  [DEFAULT_SEEING, 'ollama/qwen2.5vl:7b', true],
  [DEFAULT_SEEING, 'openai-compatible/Qwen/Qwen3-VL-8B-Instruct', true],
  [DEFAULT_SEEING, 'openai-compatible/meta-llama/Llama-3.2-11B-Vision', true],
  [DEFAULT_SEEING, 'ollama/gemma3:1b', false],
  [DEFAULT_SEEING, 'ollama/llama3.3', false],
  [DEFAULT_SEEING, 'builtin/extractive', false],
])('%j and the model %s: %s', (patterns, id, isMeant) => {
  expect(parseModelPatterns(patterns)(id)).toBe(isMeant)
})

test.each(['llava', 'openai/a openai/b', 'openai/a;openai/b'])('%j is refused', (text) => {
  expect(() => parseModelPatterns(text)).toThrow(/must be a list of models/)
})
