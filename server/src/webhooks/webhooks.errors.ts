import { DomainError, type ErrorDetail } from '../platform/errors.ts'

export class WebhookUrlNotAllowedError extends DomainError {
  override name = 'WebhookUrlNotAllowedError'
  readonly code = 'WEBHOOK_URL_NOT_ALLOWED'
  override readonly details: ErrorDetail[]
  constructor(reason: string, { field = 'webhook_url', ...options }: ErrorOptions & { field?: string } = {}) {
    super(`${field}: ${reason}`, options)
    this.details = [{ path: field, message: reason }]
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

export class EndpointNotFoundError extends DomainError {
  override name = 'EndpointNotFoundError'
  readonly code = 'WEBHOOK_ENDPOINT_NOT_FOUND'
  constructor() {
    super('This workspace has no webhook endpoint with this id')
  }
}

export class EndpointOffError extends DomainError {
  override name = 'EndpointOffError'
  readonly code = 'WEBHOOK_ENDPOINT_OFF'
  constructor() {
    super('The endpoint is switched off: switch it on with is_enabled, and then deliver again')
  }
}

export class EndpointLimitError extends DomainError {
  override name = 'EndpointLimitError'
  readonly code = 'WEBHOOK_ENDPOINT_LIMIT'
  constructor(most: number) {
    super(`A workspace has at most ${most} webhook endpoints: delete one first`)
  }
}
