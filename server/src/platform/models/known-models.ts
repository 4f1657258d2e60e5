/** Abilities of well-known models, for where a provider does not tell of them. */
interface KnownModel {
  /** Tokens, prompt and answer together. */
  contextTokens?: number
  seesPictures: boolean
  takesTools: boolean
}

const SEES = { seesPictures: true, takesTools: true }
const READS = { seesPictures: false, takesTools: true }
const ONLY_SEES = { seesPictures: true, takesTools: false }
const ONLY_WRITES = { seesPictures: false, takesTools: false }

/** Well-known models by their names; the first pattern that matches counts. */
const MODELS: [RegExp, KnownModel][] = [
  [/^gpt-oss/, { ...READS, contextTokens: 128_000 }],
  [/^gpt-5(\.\d)?-chat/, { ...SEES, contextTokens: 128_000 }],
  [/^gpt-5\.[4-9]-(mini|nano)/, { ...SEES, contextTokens: 400_000 }],
  [/^gpt-(5\.[4-9]|[6-9])/, { ...SEES, contextTokens: 1_050_000 }],
  [/^gpt-5/, { ...SEES, contextTokens: 400_000 }],
  [/^gpt-4\.1/, { ...SEES, contextTokens: 1_047_576 }],
  [/^gpt-4o/, { ...SEES, contextTokens: 128_000 }],
  [/^gpt-4-(turbo$|turbo-\d{4}-|vision)/, { ...SEES, contextTokens: 128_000 }],
  [/^gpt-4-(turbo|\d{4}-preview)/, { ...READS, contextTokens: 128_000 }],
  [/^gpt-4/, { ...READS, contextTokens: 8_192 }],
  [/^gpt-3\.5/, { ...READS, contextTokens: 16_385 }],
  [/^o1-(mini|preview)/, { ...ONLY_WRITES, contextTokens: 128_000 }],
  [/^o3-mini/, { ...READS, contextTokens: 200_000 }],
  [/^o\d/, { ...SEES, contextTokens: 200_000 }],
  [/^claude-(opus|sonnet)-4-[6-9]/, { ...SEES, contextTokens: 1_000_000 }],
  [/^claude-[a-z]+-[5-9]/, { ...SEES, contextTokens: 1_000_000 }],
  [/^claude-(2|instant)/, { ...ONLY_WRITES, contextTokens: 100_000 }],
  [/^claude-/, { ...SEES, contextTokens: 200_000 }],
  [/^gemini-/, { ...SEES, contextTokens: 1_048_576 }],
  [/^gemma-?3[:-](270m|1b)/, { ...ONLY_WRITES, contextTokens: 32_000 }],
  [/^gemma-?3[:-]/, { ...ONLY_SEES, contextTokens: 128_000 }],
  [/^gemma-?3/, { ...ONLY_WRITES, contextTokens: 128_000 }],
  [/^deepseek-vl/, ONLY_SEES],
  [/^deepseek-v[4-9]/, { ...READS, contextTokens: 1_000_000 }],
  [/^deepseek/, { ...READS, contextTokens: 128_000 }],
  [/^(llama-?3\.2-?(v|:?\d+b-v)|llama-?3\.2-vision)/, { ...ONLY_SEES, contextTokens: 128_000 }],
  [/^llama-?4/, { ...SEES, contextTokens: 128_000 }],
  [/^qwen-?[\d.]*-?vl/, { ...SEES, contextTokens: 128_000 }],
  [/^(llama-?3\.[1-9]|qwen-?3)/, { ...READS, contextTokens: 128_000 }],
  [/^pixtral/, { ...SEES, contextTokens: 128_000 }],
  [/^mistral-(small-(3\.[1-9]|25\d\d)|medium-(3|25\d\d))/, { ...SEES, contextTokens: 128_000 }],
  [/^mistral-(large|medium|small)/, { ...READS, contextTokens: 128_000 }],
  [/^(bak)?llava|^moondream|^minicpm-v|^internvl|^smolvlm|^phi-[\d.]+-(vision|multimodal)/, ONLY_SEES],
]

const WINDOW_OF_OTHERS = 128_000

/** @param model the name as the provider has it; a path before it (`meta-llama/…`) does not count */
export function findKnownModel(model: string): KnownModel | undefined {
  const name = model.toLowerCase().replace(/^.*\//, '')
  return MODELS.find(([pattern]) => pattern.test(name))?.[1]
}

/** Window of a model in tokens. */
export const contextWindowOf = (model: string, whenUnknown = WINDOW_OF_OTHERS): number =>
  findKnownModel(model)?.contextTokens ?? whenUnknown
