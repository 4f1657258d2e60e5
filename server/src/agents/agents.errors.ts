import { DomainError } from '../platform/errors.ts'

export class AgentNotFoundError extends DomainError {
  override name = 'AgentNotFoundError'
  readonly code = 'AGENT_NOT_FOUND'
  constructor() {
    super('There is no agent with this id')
  }
}

export class JobNotFoundError extends DomainError {
  override name = 'JobNotFoundError'
  readonly code = 'JOB_NOT_FOUND'
  constructor() {
    super('This agent has no job with this id')
  }
}

export class ShortcutNotFoundError extends DomainError {
  override name = 'ShortcutNotFoundError'
  readonly code = 'SHORTCUT_NOT_FOUND'
  constructor() {
    super('This agent has no shortcut with this id')
  }
}

export class TranscriptionNotSetUpError extends DomainError {
  override name = 'TranscriptionNotSetUpError'
  readonly code = 'TRANSCRIPTION_NOT_SET_UP'
  constructor() {
    super('This workspace has no transcription model: an admin has to choose one in Settings → Models first')
  }
}

export class ModelProviderNotFoundError extends DomainError {
  override name = 'ModelProviderNotFoundError'
  readonly code = 'MODEL_PROVIDER_NOT_FOUND'
  constructor() {
    super('This workspace has no model provider with this name')
  }
}

export class ModelProviderByEnvironmentError extends DomainError {
  override name = 'ModelProviderByEnvironmentError'
  readonly code = 'MODEL_PROVIDER_BY_ENVIRONMENT'
  constructor() {
    super('An operator set this model provider in the environment of the server; it can only be changed there')
  }
}

export class ModelProviderInUseError extends DomainError {
  override name = 'ModelProviderInUseError'
  readonly code = 'MODEL_PROVIDER_IN_USE'
}

/** Login at an MCP server that did not come about, for the person who tried. */
export class McpLoginFailedError extends DomainError {
  override name = 'McpLoginFailedError'
  readonly code = 'MCP_LOGIN_FAILED'
}

export class WebSearchNotFoundError extends DomainError {
  override name = 'WebSearchNotFoundError'
  readonly code = 'WEB_SEARCH_NOT_FOUND'
  constructor() {
    super('This workspace has no web search provider')
  }
}

/** Failure of the model or a tool, with a message that an operator or a developer can act on. */
export class AgentFailedError extends DomainError {
  override name = 'AgentFailedError'
  readonly code = 'AGENT_FAILED'
}

export class MemoryNotFoundError extends DomainError {
  override name = 'MemoryNotFoundError'
  readonly code = 'MEMORY_NOT_FOUND'
  constructor() {
    super('No fact with this id is remembered about this person')
  }
}

/** Error for an agent alone: it has to forget something first. */
export class TooManyMemoriesError extends DomainError {
  override name = 'TooManyMemoriesError'
  readonly code = 'TOO_MANY_MEMORIES'
  constructor(most: number) {
    super(
      `${most} facts are already remembered about this person; forget one that matters less, or replace one by its topic`,
    )
  }
}
