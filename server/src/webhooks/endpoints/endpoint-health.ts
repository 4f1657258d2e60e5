import { operatorOf, recordAudit } from '../../audit/record-audit.ts'
import type { Tx } from '../../db.ts'
import { type EndpointRecord, holdEndpoint, updateEndpoint } from './endpoints.store.ts'

/** Time in which no attempt arrives before the endpoint is switched off. */
export const FAILING_MS = 3 * 24 * 3_600_000

const GONE = 410

/** Notes how an attempt went, and switches the endpoint off when it is gone, or failed all the time for three days. */
export async function noteAttempt(
  tx: Tx,
  { organizationId, id }: Pick<EndpointRecord, 'organizationId' | 'id'>,
  { arrived, status, now }: { arrived: boolean; status: number | null; now: Date },
): Promise<void> {
  const endpoint = await holdEndpoint(tx, organizationId, id)
  if (!endpoint) return
  const { failingSince, disabledAt, workspaceId, url } = endpoint
  const at = now.toISOString()
  if (arrived) {
    if (failingSince !== null) await updateEndpoint(tx, organizationId, id, { failingSince: null })
    return
  }
  if (failingSince === null) await updateEndpoint(tx, organizationId, id, { failingSince: at })
  const isGone = status === GONE
  const hasFailedLong = failingSince !== null && now.getTime() - Date.parse(failingSince) >= FAILING_MS
  if (disabledAt !== null || !(isGone || hasFailedLong)) return
  const reason = isGone ? 'gone' : 'failing'
  await updateEndpoint(tx, organizationId, id, { disabledAt: at, disabledReason: reason, updatedAt: at })
  await recordAudit(tx, operatorOf(organizationId, workspaceId), {
    action: 'webhook_endpoint.disabled',
    at,
    target: { type: 'webhook_endpoint', id, name: new URL(url).host },
    details: { reason, failing_since: failingSince ?? at },
  })
}
