import { DomainError, type ErrorDetail } from '../platform/errors.ts'

export class WebhookUrlNotAllowedError extends DomainError {
  override name = 'WebhookUrlNotAllowedError'
  readonly code = 'WEBHOOK_URL_NOT_ALLOWED'
  override readonly details: ErrorDetail[]
  constructor(reason: string, options?: ErrorOptions) {
    super(`webhook_url: ${reason}`, options)
    this.details = [{ path: 'webhook_url', message: reason }]
  }
}

export class DeliveryNotFoundError extends DomainError {
  override name = 'DeliveryNotFoundError'
  readonly code = 'DELIVERY_NOT_FOUND'
  constructor() {
    super('This workspace has no webhook delivery with this id')
  }
}

export class DeliveryWaitingError extends DomainError {
  override name = 'DeliveryWaitingError'
  readonly code = 'DELIVERY_WAITING'
  constructor() {
    super('There is nothing to deliver yet: the message is still being answered')
  }
}
