import { AgentFailedError } from '../agents.errors.ts'

/** Limits of one run of an agent, all that its sub-agents do included. */
export interface RunLimits {
  /** Turns of a model, of this agent alone. The last one has to answer. */
  maxSteps: number
  /** Input and output tokens of all models together. */
  maxTokens: number
  /** Time at work: what a person takes for a review does not count. */
  maxSeconds: number
  /** Characters of one tool's result that the model gets to read. */
  maxToolOutputCharacters: number
}

/** Limits of an agent: null stands for the default. */
export type AgentLimits = { [K in keyof RunLimits]: number | null }

export const DEFAULT_LIMITS: RunLimits = {
  maxSteps: 20,
  maxTokens: 500_000,
  maxSeconds: 900,
  maxToolOutputCharacters: 50_000,
}

/** Turns of an agent and all its sub-agents together. */
export const MOST_STEPS_IN_ALL = 100
/** Maximum depth of a chain of agents that call each other. */
export const MOST_DEPTH = 4
/** Maximum number of equal calls of one tool that are carried out; further ones get a message to stop. */
export const MOST_EQUAL_CALLS = 3
/** Calls of one reply that are carried out at the same time. */
export const MOST_CALLS_AT_ONCE = 8

export const limitsOf = (limits: AgentLimits): RunLimits => ({
  maxSteps: limits.maxSteps ?? DEFAULT_LIMITS.maxSteps,
  maxTokens: limits.maxTokens ?? DEFAULT_LIMITS.maxTokens,
  maxSeconds: limits.maxSeconds ?? DEFAULT_LIMITS.maxSeconds,
  maxToolOutputCharacters: limits.maxToolOutputCharacters ?? DEFAULT_LIMITS.maxToolOutputCharacters,
})

/** Ends a run that reached one of its agent's limits; what it said so far stands. */
export class LimitReachedError extends AgentFailedError {
  override name = 'LimitReachedError'
  constructor(limit: 'max_tokens' | 'max_seconds', value: number) {
    const [what, unit] = limit === 'max_tokens' ? ['used up', 'tokens'] : ['took longer than', 'seconds']
    super(`The run ${what} ${value} ${unit}, the ${limit} of its agent; raise the limit or ask for less at once`)
  }
}

/** Error of a run whose model stopped without text: an empty answer is no result. */
export class NoAnswerError extends AgentFailedError {
  override name = 'NoAnswerError'
  /** @param hadToAnswer whether the limits, or calls that went round in circles, left it no other reply */
  constructor(hadToAnswer: boolean) {
    super(
      hadToAnswer
        ? 'The agent had to answer, because it came to a limit of its steps or tokens or repeated one call, and said nothing; raise the limits or ask for less at once'
        : 'The model ended without an answer; ask again, or give the agent another model',
    )
  }
}
