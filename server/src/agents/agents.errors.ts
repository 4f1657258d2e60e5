import { DomainError } from '../platform/errors.ts'

export class AgentNotFoundError extends DomainError {
  override name = 'AgentNotFoundError'
  readonly kind = 'not-found'
  readonly code = 'AGENT_NOT_FOUND'
  constructor() {
    super('There is no agent with this id')
  }
}

export class JobNotFoundError extends DomainError {
  override name = 'JobNotFoundError'
  readonly kind = 'not-found'
  readonly code = 'JOB_NOT_FOUND'
  constructor() {
    super('This agent has no job with this id')
  }
}

export class ShortcutNotFoundError extends DomainError {
  override name = 'ShortcutNotFoundError'
  readonly kind = 'not-found'
  readonly code = 'SHORTCUT_NOT_FOUND'
  constructor() {
    super('This agent has no shortcut with this id')
  }
}

/** Failure of the model or a tool, with a message that an operator or a developer can act on. */
export class AgentFailedError extends DomainError {
  override name = 'AgentFailedError'
  readonly kind = 'failed'
  readonly code = 'AGENT_FAILED'
}

export class MemoryNotFoundError extends DomainError {
  override name = 'MemoryNotFoundError'
  readonly kind = 'not-found'
  readonly code = 'MEMORY_NOT_FOUND'
  constructor() {
    super('Nothing with this id is remembered of this person')
  }
}

/** Only an agent gets this: it has to forget something first. */
export class TooManyMemoriesError extends DomainError {
  override name = 'TooManyMemoriesError'
  readonly kind = 'conflict'
  readonly code = 'TOO_MANY_MEMORIES'
  constructor(most: number) {
    super(
      `${most} facts are remembered of this person already; forget one that matters less, or replace one by its topic`,
    )
  }
}
