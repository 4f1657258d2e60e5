import type { Caller } from '../../access/access.ts'
import { type AuditRecord, recordAudit } from '../../audit/record-audit.ts'
import type { Db, Tx } from '../../db.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { takeAdvisoryLock } from '../../platform/database/statements/advisory-locks.ts'
import { commitChecked } from '../../platform/database/statements/commit-checked.ts'
import { newWebhookSecret } from '../secrets/signature.ts'
import { EndpointLimitError, EndpointNotFoundError } from '../webhooks.errors.ts'
import type { WebhookService } from '../webhooks.service.ts'
import { failDeliveriesOf } from '../webhooks.store.ts'
import { sendEvent } from './emit-event.ts'
import type { EndpointSecrets } from './endpoint-secrets.ts'
import type { CreateEndpoint, UpdateEndpoint } from './endpoints.schemas.ts'
import {
  deleteEndpoint,
  type EndpointChange,
  type EndpointRecord,
  findEndpoint,
  holdEndpoint,
  insertEndpoint,
  listEndpoints,
  updateEndpoint,
} from './endpoints.store.ts'

/** Endpoints of one workspace. */
export const MOST_ENDPOINTS = 20
/** Time in which the old secret signs along with a new one. */
const OVERLAP_MS = 24 * 3_600_000

export const ENDPOINT_DELETED = 'The endpoint was deleted'

export interface EndpointServiceOptions extends Pick<KernelParts, 'clock' | 'db' | 'newId' | 'queue' | 'writes'> {
  endpointSecrets: EndpointSecrets
  webhooks: Pick<WebhookService, 'requireAllowedUrl'>
}

interface RecordedChange {
  change: EndpointChange
  action: AuditRecord['action']
  details?: object
}

/** URLs to which a workspace has its events sent. */
export class EndpointService {
  readonly #options: EndpointServiceOptions

  constructor(options: EndpointServiceOptions) {
    this.#options = options
  }

  list({ organizationId, workspaceId }: Caller): Promise<EndpointRecord[]> {
    return listEndpoints(this.#options.db, organizationId, workspaceId)
  }

  /** @throws EndpointNotFoundError */
  get(caller: Caller, id: string): Promise<EndpointRecord> {
    return getEndpoint(this.#options.db, caller, id)
  }

  /**
   * Makes an endpoint. @returns it with its secret, which is not shown again
   * @throws WebhookUrlNotAllowedError, EndpointLimitError
   */
  async create(caller: Caller, wanted: CreateEndpoint): Promise<{ endpoint: EndpointRecord; secret: string }> {
    const { writes, endpointSecrets, webhooks, newId, clock } = this.#options
    const { organizationId, workspaceId } = caller
    await webhooks.requireAllowedUrl(wanted.url, 'url')
    const secret = newWebhookSecret()
    const id = newId()
    const at = isoNow(clock)
    const endpoint: EndpointRecord = {
      id,
      organizationId,
      workspaceId,
      url: wanted.url,
      description: wanted.description,
      eventTypes: wanted.event_types,
      secret: await endpointSecrets.seal({ id, organizationId }, secret),
      oldSecret: null,
      oldSecretUntil: null,
      disabledAt: null,
      disabledReason: null,
      failingSince: null,
      createdAt: at,
      updatedAt: at,
    }
    await commitChecked(writes, async (tx) => {
      await takeAdvisoryLock(tx, 'webhook endpoints', workspaceId)
      const all = await listEndpoints(tx, organizationId, workspaceId)
      if (all.length >= MOST_ENDPOINTS) throw new EndpointLimitError(MOST_ENDPOINTS)
      await insertEndpoint(tx, organizationId, endpoint)
      await this.#record(tx, caller, endpoint, 'webhook_endpoint.created', { event_types: wanted.event_types })
    })
    return { endpoint, secret }
  }

  /** @throws EndpointNotFoundError, WebhookUrlNotAllowedError */
  async update(caller: Caller, id: string, wanted: UpdateEndpoint): Promise<EndpointRecord> {
    const { db, webhooks, clock } = this.#options
    const before = await getEndpoint(db, caller, id)
    if (wanted.url !== undefined && wanted.url !== before.url) await webhooks.requireAllowedUrl(wanted.url, 'url')
    return this.#change(caller, id, ({ disabledAt, disabledReason }) => {
      const { is_enabled } = wanted
      const off = { disabledAt: disabledAt ?? isoNow(clock), disabledReason: disabledReason ?? ('asked' as const) }
      const on = { disabledAt: null, disabledReason: null, failingSince: null }
      return {
        change: {
          url: wanted.url,
          description: wanted.description,
          eventTypes: wanted.event_types,
          ...(is_enabled !== undefined && (is_enabled ? on : off)),
        },
        action: 'webhook_endpoint.updated',
        details: { changed: Object.keys(wanted) },
      }
    })
  }

  /** Makes a new secret; the old one signs along for 24 h. @throws EndpointNotFoundError */
  async rotate(caller: Caller, id: string): Promise<{ endpoint: EndpointRecord; secret: string }> {
    const { endpointSecrets, clock } = this.#options
    const secret = newWebhookSecret()
    const sealed = await endpointSecrets.seal({ id, organizationId: caller.organizationId }, secret)
    const oldSecretUntil = new Date(clock().getTime() + OVERLAP_MS).toISOString()
    const endpoint = await this.#change(caller, id, (before) => ({
      change: { secret: sealed, oldSecret: before.secret, oldSecretUntil },
      action: 'webhook_endpoint.rotated',
    }))
    return { endpoint, secret }
  }

  /** @throws EndpointNotFoundError */
  remove(caller: Caller, id: string): Promise<void> {
    const { writes, clock } = this.#options
    return commitChecked(writes, async (tx) => {
      const endpoint = await getEndpoint(tx, caller, id)
      await deleteEndpoint(tx, caller.organizationId, id)
      await failDeliveriesOf(tx, caller.organizationId, id, { reason: ENDPOINT_DELETED, at: isoNow(clock) })
      await this.#record(tx, caller, endpoint, 'webhook_endpoint.deleted')
    })
  }

  /** Sends a test event, also to one that is switched off. @returns the delivery's id @throws EndpointNotFoundError */
  test(caller: Caller, id: string): Promise<string> {
    return commitChecked(this.#options.writes, async (tx) => {
      const endpoint = await getEndpoint(tx, caller, id)
      const event = { type: 'webhook.test', data: { endpoint_id: id } } as const
      const [deliveryId] = await sendEvent(this.#options, tx, caller.organizationId, [endpoint], event)
      return deliveryId!
    })
  }

  /** Changes one and records that. @throws EndpointNotFoundError */
  #change(caller: Caller, id: string, toChange: (endpoint: EndpointRecord) => RecordedChange): Promise<EndpointRecord> {
    const { writes, clock } = this.#options
    return commitChecked(writes, async (tx) => {
      const endpoint = await holdEndpoint(tx, caller.organizationId, id)
      if (endpoint?.workspaceId !== caller.workspaceId) throw new EndpointNotFoundError()
      const { change, action, details } = toChange(endpoint)
      const changed = { ...definedOf(change), updatedAt: isoNow(clock) }
      await updateEndpoint(tx, caller.organizationId, id, changed)
      await this.#record(tx, caller, { ...endpoint, ...changed }, action, details)
      return { ...endpoint, ...changed }
    })
  }

  #record(
    tx: Tx,
    caller: Caller,
    { id, url }: EndpointRecord,
    action: AuditRecord['action'],
    details?: object,
  ): Promise<void> {
    const target = { type: 'webhook_endpoint', id, name: new URL(url).host } as const
    return recordAudit(tx, caller, { action, at: isoNow(this.#options.clock), target, details: { ...details } })
  }
}

async function getEndpoint(db: Db, { organizationId, workspaceId }: Caller, id: string): Promise<EndpointRecord> {
  const endpoint = await findEndpoint(db, organizationId, id)
  if (endpoint?.workspaceId !== workspaceId) throw new EndpointNotFoundError()
  return endpoint
}

/** Fields that have a value: a change leaves others as they are. */
const definedOf = (change: EndpointChange): Partial<EndpointRecord> =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
