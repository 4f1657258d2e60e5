import { ModelError } from '../../platform/models/failures/model.errors.ts'
import type {
  GenerateOptions,
  LanguageModel,
  ModelMessage,
  ModelReply,
  ModelRequest,
  ModelTool,
} from '../../platform/models/model.ts'
import type { Recall } from './history.ts'

export interface ConversationParts {
  system: string
  tools: ModelTool[]
  /** Question, with the files that came with it. */
  question: ModelMessage
  recall: Recall
}

/** Parts of the usual room for the history, tried one after the other when the provider finds the prompt too long. */
const SHARES = [1, 0.5, 0.15, 0] as const

/** All that a model reads before its next reply: the prompt, what is remembered, the question, and what came of it. */
export async function openConversation(model: LanguageModel, parts: ConversationParts) {
  const { system, tools, question, recall } = parts
  const room = { contextTokens: model.contextTokens, system, tools, question: question.content }
  let attempt = 0
  let history = await recall({ ...room, share: SHARES[attempt]! })

  /** @returns whether there is less to read than before. */
  async function forgetSome(): Promise<boolean> {
    const before = history.length
    while (history.length === before && attempt < SHARES.length - 1) {
      attempt += 1
      history = await recall({ ...room, share: SHARES[attempt]! })
    }
    return history.length < before
  }

  return {
    /**
     * The model's next reply.
     * @param turns what model and tools said since the question
     * @throws ModelError
     */
    async next(
      turns: readonly ModelMessage[],
      toolChoice: ModelRequest['toolChoice'],
      { onDeltas, signal }: GenerateOptions,
    ): Promise<ModelReply> {
      let isSilent = true
      const hear: GenerateOptions['onDeltas'] = (deltas) => {
        isSilent = false
        onDeltas(deltas)
      }
      for (;;) {
        const messages: ModelMessage[] = [{ role: 'system', content: system }, ...history, question, ...turns]
        try {
          return await model.generate({ messages, tools, toolChoice }, { onDeltas: hear, signal })
        } catch (error) {
          const isTooLong = error instanceof ModelError && error.reason === 'too-long' && isSilent
          if (!isTooLong || !(await forgetSome())) throw error
        }
      }
    },
  }
}
