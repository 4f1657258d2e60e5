import type { Tx } from '../../db.ts'
import {
  failIndexing,
  findLiveDataSource,
  type IndexingFailure,
  type IndexingRequest,
  noteEvents,
  placeOf,
} from '../../drive/drive.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import type { EmitEvent } from '../../webhooks/webhooks.ts'

/** Means to tell of a failure. */
export interface FailureTold extends Pick<KernelParts, 'newId' | 'pubsub' | 'queue'> {
  emitEvent: EmitEvent
}

/** Records why a file cannot be indexed, and sends that to the endpoints that want to know. */
export async function failFile(
  tx: Tx,
  organizationId: string,
  request: IndexingRequest,
  { queue, emitEvent, pubsub, newId, ...failure }: IndexingFailure & FailureTold,
): Promise<void> {
  if (!(await failIndexing(tx, queue, organizationId, request, failure))) return
  const file = await findLiveDataSource(tx, organizationId, request.dataSourceId)
  if (!file) return
  const events = [{ type: 'failed' as const, ...placeOf(file) }]
  await noteEvents(tx, { pubsub, newId }, organizationId, { at: failure.at, events })
  const data = { data_source_id: file.id, knowledge_base_id: file.folderId, title: file.title, reason: failure.reason }
  await emitEvent(tx, organizationId, { type: 'data_source.failed', workspaceId: null, data })
}
