import { z } from 'zod'
import type { OfferedModel } from './list-offered.ts'

const tokens = z.number().int().positive().optional().catch(undefined)
const flag = z.boolean().optional().catch(undefined)
const words = z.array(z.string()).optional().catch(undefined)
const dollars = z.coerce.number().nonnegative().optional().catch(undefined)

const Pricing = z.object({ prompt: dollars, completion: dollars, input_cache_read: dollars })
type Pricing = z.infer<typeof Pricing>

/** Fields by which compatible servers tell what a model can do, beside OpenAI's own. */
const OpenaiModel = z.object({
  id: z.string().min(1),
  type: z.string().optional().catch(undefined),
  context_length: tokens,
  context_window: tokens,
  max_context_length: tokens,
  max_model_len: tokens,
  meta: z.object({ n_ctx_train: tokens }).optional().catch(undefined),
  architecture: z.object({ input_modalities: words }).optional().catch(undefined),
  supported_parameters: words,
  capabilities: z.object({ completion_chat: flag, function_calling: flag, vision: flag }).optional().catch(undefined),
  pricing: Pricing.optional().catch(undefined),
})

/** Reads the list of OpenAI's API, also in the forms that compatible servers give it. */
export function readOpenai(body: unknown): OfferedModel[] {
  const list = Array.isArray(body) ? body : listIn(body, 'data')
  return readEach(list, OpenaiModel).flatMap((model) => {
    const { id, type, capabilities, pricing } = model
    if (capabilities?.completion_chat === false || (type && /embed|rerank|image|audio|moderation/.test(type))) return []
    return {
      name: id,
      contextTokens:
        model.context_length ??
        model.context_window ??
        model.max_context_length ??
        model.max_model_len ??
        model.meta?.n_ctx_train,
      seesPictures: capabilities?.vision ?? model.architecture?.input_modalities?.includes('image'),
      takesTools: capabilities?.function_calling ?? model.supported_parameters?.includes('tools'),
      ...(pricing && toPrice(pricing)),
    }
  })
}

/** Prices for one token, as those for a million. */
function toPrice({ prompt, completion, input_cache_read: cached }: Pricing): Pick<OfferedModel, 'price'> {
  if (prompt === undefined || completion === undefined) return {}
  const cachedInput = cached === undefined ? {} : { cachedInput: toMillion(cached) }
  return { price: { input: toMillion(prompt), ...cachedInput, output: toMillion(completion) } }
}

const toMillion = (dollarsEach: number) => Math.round(dollarsEach * 1e12) / 1e6

const AnthropicModel = z.object({
  id: z.string().min(1),
  max_input_tokens: tokens,
  capabilities: z
    .object({ image_input: z.object({ supported: flag }).optional().catch(undefined) })
    .optional()
    .catch(undefined),
})

export const readAnthropic = (body: unknown): OfferedModel[] =>
  readEach(listIn(body, 'data'), AnthropicModel).map(({ id, max_input_tokens, capabilities }) => ({
    name: id,
    contextTokens: max_input_tokens,
    seesPictures: capabilities?.image_input?.supported,
  }))

const GoogleModel = z.object({
  name: z.string().min(1),
  inputTokenLimit: tokens,
  supportedGenerationMethods: words,
})

export const readGoogle = (body: unknown): OfferedModel[] =>
  readEach(listIn(body, 'models'), GoogleModel)
    .filter(({ supportedGenerationMethods: ways }) => !ways || ways.includes('generateContent'))
    .map(({ name, inputTokenLimit }) => ({ name: name.replace(/^models\//, ''), contextTokens: inputTokenLimit }))

/** Names of the models that an Ollama server has. */
export const readOllama = (body: unknown): string[] =>
  readEach(listIn(body, 'models'), z.object({ name: z.string().min(1) })).map(({ name }) => name)

const OllamaDetails = z.object({
  capabilities: words,
  model_info: z.record(z.string(), z.unknown()).optional().catch(undefined),
})

/** @returns undefined for a model that holds no conversations */
export function readOllamaDetails(name: string, body: unknown): OfferedModel | undefined {
  const { data } = OllamaDetails.safeParse(body)
  const can = data?.capabilities
  if (can && !can.includes('completion')) return undefined
  const window = Object.entries(data?.model_info ?? {}).find(([key]) => key.endsWith('.context_length'))?.[1]
  return {
    name,
    contextTokens: tokens.parse(window),
    seesPictures: can?.includes('vision'),
    takesTools: can?.includes('tools'),
  }
}

function listIn(body: unknown, field: string): unknown[] {
  const list = typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[field] : undefined
  return Array.isArray(list) ? list : []
}

/** Entries that can be read; others are left out. */
const readEach = <T>(list: unknown[], schema: z.ZodType<T>): T[] =>
  list.flatMap((entry) => {
    const { data } = schema.safeParse(entry)
    return data === undefined ? [] : [data]
  })
