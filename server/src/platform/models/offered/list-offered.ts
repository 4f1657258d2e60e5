import { connectionError } from '../failures/connection-failures.ts'
import { ModelError } from '../failures/model.errors.ts'
import { complaintError, readComplaint, unreadableError } from '../failures/provider-failures.ts'
import { get, post } from '../http-client.ts'
import type { ListedPrice } from '../model.ts'
import type { ModelProvider } from '../model-provider.ts'
import { parseJson, readText } from '../read-reply.ts'
import { readAnthropic, readGoogle, readOllama, readOllamaDetails, readOpenai } from './read-offered.ts'

/** A model as its provider tells of it; absent is what it does not tell. */
export interface OfferedModel {
  /** Name without the provider. */
  name: string
  contextTokens?: number
  seesPictures?: boolean
  takesTools?: boolean
  price?: ListedPrice
}

const MAX_LIST_BYTES = 8 * 1024 * 1024
/** Models of an Ollama server that are asked for more than their names. */
const MOST_DETAILS = 100

/**
 * Models that a provider says it has for conversations, by its own list.
 * @throws ModelError, or the signal's reason
 */
export async function listOffered(provider: ModelProvider, signal: AbortSignal): Promise<OfferedModel[]> {
  const { kind, guard, baseUrl, apiKey = '' } = provider
  const ask = (path: string, headers: Record<string, string> = {}) =>
    readJson(provider, signal, () => get(new URL(join(baseUrl, path)), { headers, signal, guard }))
  if (kind === 'anthropic')
    return readAnthropic(await ask('models?limit=1000', { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' }))
  if (kind === 'google') return readGoogle(await ask('models?pageSize=1000', { 'x-goog-api-key': apiKey }))
  if (kind === 'ollama') return listOllama(provider, signal)
  const offered = readOpenai(await ask('models', apiKey ? { authorization: `Bearer ${apiKey}` } : {}))
  return kind === 'openai' ? offered.filter(({ name }) => !NO_CHAT.test(name)) : offered
}

/** Models in OpenAI's list that hold no conversations, which it does not tell. */
const NO_CHAT = /embedding|whisper|tts|dall-e|moderation|transcribe|image|realtime|audio|sora|babbage|davinci|instruct/

async function listOllama(provider: ModelProvider, signal: AbortSignal): Promise<OfferedModel[]> {
  const { guard } = provider
  const root = provider.baseUrl.replace(/\/v1$/, '')
  const tags = await readJson(provider, signal, () => get(new URL(`${root}/api/tags`), { headers: {}, signal, guard }))
  const show = (model: string) =>
    readJson(provider, signal, () => {
      const headers = { 'content-type': 'application/json' }
      return post(new URL(`${root}/api/show`), { headers, body: JSON.stringify({ model }), signal, guard })
    })
  const names = readOllama(tags)
  const described = await Promise.all(
    names.slice(0, MOST_DETAILS).map(async (name) => readOllamaDetails(name, await show(name))),
  )
  const rest = names.slice(MOST_DETAILS).map((name) => ({ name }))
  return [...described.filter((one) => one !== undefined), ...rest]
}

async function readJson(
  provider: ModelProvider,
  signal: AbortSignal,
  ask: () => ReturnType<typeof get>,
): Promise<unknown> {
  const response = await ask().catch((error) => {
    signal.throwIfAborted()
    throw connectionError(provider, error)
  })
  const text = await readText(response, MAX_LIST_BYTES)
  signal.throwIfAborted()
  const body = parseJson(text)
  const status = response.statusCode ?? 0
  if (status === 404 || status === 405 || status === 501)
    throw new ModelError('unreadable', `${provider.label} gives no list of its models`, { status })
  if (status !== 200) throw complaintError(provider, '', { ...readComplaint(body ?? text), status })
  if (body === undefined) throw unreadableError(provider, 'broken JSON')
  return body
}

const join = (baseUrl: string, path: string) => `${baseUrl.replace(/\/+$/, '')}/${path}`
