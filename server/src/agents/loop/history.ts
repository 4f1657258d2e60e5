import type { ModelMessage, ModelTool } from '../../platform/models/model.ts'

/** Room for the history, beside the other parts of the model's window. */
export interface HistoryRoom {
  /** The window. */
  contextTokens: number
  system: string
  tools: ModelTool[]
  /** Question, with the files that came with it. */
  question: string
  /** Part of the usual room that it may take: less than 1 after the provider found the prompt too long. */
  share: number
}

/** Earlier turns of the conversation, oldest first, as far as there is room. */
export type Recall = (room: HistoryRoom) => Promise<ModelMessage[]>

/** Recall for agents called by other agents: the conversation is not theirs. */
export const recallNothing: Recall = async () => []
