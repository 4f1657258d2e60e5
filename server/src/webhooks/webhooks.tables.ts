export type DeliveryStatus = 'waiting' | 'pending' | 'delivered' | 'failed'

export interface WebhookDeliveryTable {
  id: string
  organization_id: string
  workspace_id: string
  /** The message whose result is sent, which may be deleted meanwhile; empty for an event to an endpoint. */
  message_id: string
  /** Endpoint of the workspace that the event goes to, which may be deleted meanwhile; null for a message's result. */
  endpoint_id: string | null
  event_type: string | null
  /** JSON of the event, as it was when it happened. */
  body: string | null
  url: string
  /** Scheme, host and port: deliveries of an organization to one receiver share its limit. */
  origin: string
  /** Waiting for the message's end; then pending until it is delivered or all its attempts have failed. */
  status: DeliveryStatus
  /** Reason that the last attempt, or the delivery as a whole, failed. */
  error_message: string | null
  /**
   * Fence, raised with every attempt that is scheduled: the task of an earlier one does nothing. This column and the
   * next have the names of the first release, since processes of the version before could not continue beside a renamed
   * one.
   */
  turn: number
  /** Attempts since the delivery became due or was asked for again: the step in the schedule of retries. */
  tries: number
  /** All attempts. */
  attempts: number
  /** 1: due, but its receiver is busy with others; the end of one of those enqueues it. */
  is_parked: number
  next_attempt_at: string | null
  delivered_at: string | null
  created_at: string
  updated_at: string
}

export interface WebhookAttemptTable {
  id: string
  organization_id: string
  delivery_id: string
  /** Number from 1. */
  number: number
  started_at: string
  duration_ms: number
  /** HTTP status of the reply. */
  status: number | null
  /** The first 2 KiB of the reply. */
  reply: string | null
  /** Reason that there is no reply. */
  error: string | null
}

export interface WebhookEndpointTable {
  id: string
  organization_id: string
  workspace_id: string
  url: string
  description: string
  /** JSON list. */
  event_types: string
  /** Sealed, like the old one. */
  secret: string
  old_secret: string | null
  /** Time until which the old one signs along. */
  old_secret_until: string | null
  disabled_at: string | null
  disabled_reason: 'asked' | 'failing' | 'gone' | null
  /** Time since which no attempt has arrived; null while they do. */
  failing_since: string | null
  created_at: string
  updated_at: string
}

export interface WebhookSecretTable {
  id: string
  organization_id: string
  workspace_id: string
  secret: string
  created_at: string
  /** Time until which it signs along; null for the current one. */
  expires_at: string | null
}
