import type { Tx } from '../db.ts'
import { takeAdvisoryLock } from '../platform/database/statements/advisory-locks.ts'
import type { ListedPrice, ModelUsage } from '../platform/models/model.ts'
import { dayOf, monthOf, thirdOf } from './days.ts'
import type { PriceTable } from './prices/prices.ts'
import { type Amounts, addToSums } from './usage.store.ts'

/** Usage of one model by one agent, in the course of one message. */
export interface UsedModel {
  agentId: string
  /** `provider/model` */
  model: string
  usage: ModelUsage
  /** Price that the provider of the model lists: it counts where the operator has none. */
  listedPrice?: ListedPrice
  /** Sound that it wrote down; a message has none. */
  audioSeconds?: number
}

/** Usage of one message. */
export interface MessageUsage {
  workspaceId: string
  /** The agent that was asked, and the model that answers for it. */
  agentId: string
  model: string
  virtualUserId: string | null
  /** Null for a message from before keys were noted. */
  keyId: string | null
  /** Time at which it ended: the day that it counts for. */
  at: string
  /** Usage of the agent and of those that it called. */
  parts: UsedModel[]
}

export interface PricedUsage extends MessageUsage {
  parts: PricedPart[]
  /** Cost of all parts; null where a part has no price. */
  costMicros: number | null
}

interface PricedPart extends UsedModel {
  costMicros: number | null
  /** 1 for the agent and the model that were asked, 0 for those that they called: a message counts once. */
  messages: 0 | 1
}

/** The one sum that a message adds to, whose amounts are the message's own. */
export type PlainUsage = Pick<MessageUsage, 'workspaceId' | 'agentId' | 'model' | 'keyId'> & { day: string }

export const NOTHING_USED: ModelUsage = {
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
}

/** Usage of a message, with the cost of each part by these prices. */
export function priced(used: MessageUsage, prices: PriceTable): PricedUsage {
  const isOwn = ({ agentId, model }: UsedModel) => agentId === used.agentId && model === used.model
  // A run that failed before its model said anything was a message all the same.
  const own: UsedModel = used.parts.find(isOwn) ?? { agentId: used.agentId, model: used.model, usage: NOTHING_USED }
  const parts = [own, ...used.parts.filter((part) => part !== own)].map((part) => ({
    ...part,
    costMicros: prices.costOf(part.model, part.usage, part.listedPrice),
    messages: part === own ? (1 as const) : (0 as const),
  }))
  const isKnown = parts.every(({ costMicros }) => costMicros !== null)
  const costMicros = isKnown ? parts.reduce((sum, part) => sum + part.costMicros!, 0) : null
  return { ...used, parts, costMicros }
}

/** Sound of a workspace that was transcribed, on behalf of nobody but the key and the virtual user who brought it. */
export interface SpeechUsage extends Pick<MessageUsage, 'workspaceId' | 'model' | 'virtualUserId' | 'keyId' | 'at'> {
  audioSeconds: number
  /** Tokens, where the provider tells them. */
  usage?: ModelUsage | undefined
}

/** Usage of speech, as that of a message which is none: of no agent. */
export function pricedSpeech(
  { audioSeconds, usage = NOTHING_USED, ...of }: SpeechUsage,
  prices: PriceTable,
): PricedUsage {
  // A sum holds whole seconds, and every recording costs something.
  const seconds = Math.max(1, Math.round(audioSeconds))
  const costMicros = prices.costOfSpeech(of.model, { audioSeconds, usage })
  const part = { agentId: '', model: of.model, usage, audioSeconds: seconds, costMicros, messages: 0 as const }
  return { ...of, agentId: '', parts: [part], costMicros }
}

/** Adds a message to the sums of its day, and to those of its virtual user. */
export async function addMessage(tx: Tx, organizationId: string, used: PricedUsage): Promise<void> {
  const { workspaceId, at } = used
  // Two messages may add to the same sums in a different order, if there is more than one sum to add to.
  if (used.parts.length > 1 || used.virtualUserId !== null) await takeAdvisoryLock(tx, 'usage', workspaceId)
  const of = { workspaceId, virtualUserId: used.virtualUserId ?? '', apiKeyId: used.keyId ?? '' }
  const when = { day: dayOf(at), third: thirdOf(at), month: monthOf(at) }
  for (const part of used.parts) {
    const { agentId, model } = part
    await addToSums(tx, organizationId, { ...of, ...when, agentId, model, ...amountsOf(part) })
  }
}

const amountsOf = ({ usage, costMicros, messages, audioSeconds = 0 }: PricedPart): Amounts => ({
  messages,
  input_tokens: usage.inputTokens,
  cached_input_tokens: usage.cachedInputTokens,
  output_tokens: usage.outputTokens,
  reasoning_tokens: usage.reasoningTokens,
  cost_micros: costMicros ?? 0,
  unpriced_tokens: costMicros === null ? usage.inputTokens + usage.outputTokens : 0,
  audio_seconds: audioSeconds,
  unpriced_audio_seconds: costMicros === null ? audioSeconds : 0,
})
