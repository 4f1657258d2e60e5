import { DomainError, type ErrorDetail } from '../platform/errors.ts'

export class ChatNotFoundError extends DomainError {
  override name = 'ChatNotFoundError'
  readonly code = 'CHAT_NOT_FOUND'
  constructor() {
    super('This agent has no chat with this id')
  }
}

export class SharedChatNotFoundError extends DomainError {
  override name = 'SharedChatNotFoundError'
  readonly code = 'SHARED_CHAT_NOT_FOUND'
  constructor() {
    super('This chat is not shared, or no longer')
  }
}

export class ChatNotExportableError extends DomainError {
  override name = 'ChatNotExportableError'
  readonly code = 'CHAT_NOT_EXPORTABLE'
}

export class MessageNotFoundError extends DomainError {
  override name = 'MessageNotFoundError'
  readonly code = 'MESSAGE_NOT_FOUND'
  constructor() {
    super('This chat has no message with this id')
  }
}

export class MessageIdConflictError extends DomainError {
  override name = 'MessageIdConflictError'
  readonly code = 'MESSAGE_ID_CONFLICT'
  override readonly details: ErrorDetail[] = [{ path: 'message_id', message: 'is taken by another message' }]
  constructor() {
    super(
      'message_id is already used by a message with different content or in another chat; leave it out or generate a new one',
    )
  }
}

export class MessageNotWaitingError extends DomainError {
  override name = 'MessageNotWaitingError'
  readonly code = 'MESSAGE_NOT_WAITING'
  constructor() {
    super('This message is not waiting for a review: it never was, or someone has already decided')
  }
}
