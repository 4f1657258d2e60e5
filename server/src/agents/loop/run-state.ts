import type { LanguageModel, ListedPrice, ModelMessage, ModelUsage } from '../../platform/models/model.ts'
import type { KeyedCitation } from './citations.ts'

/**
 * State with which another process can resume a run: stored after each result of a tool, and when the run waits for a
 * person. Plain JSON.
 */
export interface RunState {
  loop: LoopState
  citations: KeyedCitation[]
  /** Turns of all models so far. */
  steps: number
  spent: Spent[]
  /** Set once an agent took part that has folders: what they hold may have been read. */
  readsFolders?: true
}

/** Usage of one model by one agent in a run. */
export interface Spent {
  agentId: string
  model: string
  usage: ModelUsage
  /** Price that the provider listed at the last reply. */
  listedPrice?: ListedPrice
}

/** The loop of one agent within a run. */
export interface LoopState {
  /** Messages of model and tools since the question. */
  turns: ModelMessage[]
  /** Text shown to the person. */
  text: string
  steps: number
  /** How often each call was made, by a hash of tool and arguments. */
  calls: Record<string, number>
  /** The call that was begun and has no result yet. */
  open?: OpenCall
  /** The sub-agent that the open call put to work. */
  child?: LoopState
  /** Calls that were begun side by side, until all of them have their results. */
  beside?: SideCall[]
}

/** A call that is carried out while others are. */
export interface SideCall {
  id: string
  isRepeated: boolean
  /** Results that the model is going to read. */
  result?: ModelMessage
}

export interface OpenCall {
  id: string
  /** The very call was made before too often; absent in what earlier versions stored. */
  isRepeated?: boolean
  /** Whether the call waits for a person's decision, or was approved. */
  review?: 'pending' | 'approved'
  /** JSON Schema of the arguments, while a person may change them. */
  parameters?: Record<string, unknown>
  /** JSON object that a person had it called with, instead of what the model gave. */
  changedArguments?: string
}

export const newRunState = (): RunState => ({ loop: newLoopState(), citations: [], steps: 0, spent: [] })

export const newLoopState = (): LoopState => ({ turns: [], text: '', steps: 0, calls: {} })

/** Price that the provider of a model lists, as a field of what the model used. */
export function listedPriceOf(model: LanguageModel): { listedPrice?: ListedPrice } {
  const listedPrice = model.listedPrice?.()
  return listedPrice ? { listedPrice } : {}
}

/** Adds what a reply used. */
export function addSpent(spent: Spent[], agentId: string, model: LanguageModel, usage: ModelUsage): void {
  let entry = spent.find((one) => one.agentId === agentId && one.model === model.id)
  if (!entry) {
    entry = {
      agentId,
      model: model.id,
      usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0 },
    }
    spent.push(entry)
  }
  Object.assign(entry, listedPriceOf(model))
  const total = entry.usage
  total.inputTokens += usage.inputTokens
  total.cachedInputTokens += usage.cachedInputTokens
  total.outputTokens += usage.outputTokens
  total.reasoningTokens += usage.reasoningTokens
}

export function totalOf(spent: readonly Spent[]): ModelUsage {
  const total = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0 }
  for (const { usage } of spent) {
    total.inputTokens += usage.inputTokens
    total.cachedInputTokens += usage.cachedInputTokens
    total.outputTokens += usage.outputTokens
    total.reasoningTokens += usage.reasoningTokens
  }
  return total
}
