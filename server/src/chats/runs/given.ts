import type { AgentRecord } from '../../agents/agents.ts'
import type { Exchange } from '../memory/turns.store.ts'

/** Memory and instructions that come with a query from an application that keeps the conversation itself. Plain JSON. */
export interface Given {
  /** Earlier questions and answers, oldest first, instead of the memory of the chat; absent: that. */
  history?: Exchange[]
  /** Instructions of the application, beside the agent's own. */
  instructions?: string
  /** Number of the message's files that came with the question itself, if those after them came with earlier ones. */
  ownFiles?: number
  /** Digest of files that the request held itself; a retry is known by it, because they get other ids each time. */
  attached?: string
}

/** The agent, with instructions that hold for one query. */
export function withGiven(agent: AgentRecord, given: Given | undefined): AgentRecord {
  if (!given?.instructions) return agent
  const parts = [agent.instructions, `# From the application that asks\n\n${given.instructions}`]
  return { ...agent, instructions: parts.filter((part) => part.trim() !== '').join('\n\n') }
}
