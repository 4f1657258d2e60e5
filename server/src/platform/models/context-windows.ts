/** The windows of well-known models in tokens, prompt and answer together; the first pattern that matches counts. */
const WINDOWS: [RegExp, number][] = [
  [/^gpt-5(\.\d)?-chat/, 128_000],
  [/^gpt-5\.[4-9]-(mini|nano)/, 400_000],
  [/^gpt-(5\.[4-9]|[6-9])/, 1_050_000],
  [/^gpt-5/, 400_000],
  [/^gpt-4\.1/, 1_047_576],
  [/^gpt-4o/, 128_000],
  [/^gpt-4-(turbo|\d{4}-preview)/, 128_000],
  [/^gpt-4/, 8_192],
  [/^gpt-3\.5/, 16_385],
  [/^o\d/, 200_000],
  [/^claude-(opus|sonnet)-4-[6-9]/, 1_000_000],
  [/^claude-[a-z]+-[5-9]/, 1_000_000],
  [/^claude-/, 200_000],
  [/^gemini-/, 1_048_576],
  [/^gemma-?3/, 128_000],
  [/^deepseek-v[4-9]/, 1_000_000],
  [/^deepseek/, 128_000],
  [/^(llama-?3\.[1-9]|qwen-?3|gpt-oss)/, 128_000],
  [/^mistral-(large|medium|small)/, 128_000],
]

/** @param model the name as the provider has it; a path before it (`meta-llama/…`) does not count. */
export function contextWindowOf(model: string, whenUnknown = 128_000): number {
  const name = model.toLowerCase().replace(/^.*\//, '')
  return WINDOWS.find(([pattern]) => pattern.test(name))?.[1] ?? whenUnknown
}
