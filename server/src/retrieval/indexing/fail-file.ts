import type { Tx } from '../../db.ts'
import { failIndexing, findLiveDataSource, type IndexingRequest } from '../../drive/drive.ts'
import type { EmitEvent } from '../../webhooks/webhooks.ts'

/** Records why a file cannot be indexed, and sends that to the endpoints that want to know. */
export async function failFile(
  tx: Tx,
  organizationId: string,
  request: IndexingRequest,
  { reason, at, emitEvent }: { reason: string; at: string; emitEvent: EmitEvent },
): Promise<void> {
  if (!(await failIndexing(tx, organizationId, request, reason, at))) return
  const file = await findLiveDataSource(tx, organizationId, request.dataSourceId)
  if (!file) return
  const data = { data_source_id: file.id, knowledge_base_id: file.folderId, title: file.title, reason }
  await emitEvent(tx, organizationId, { type: 'data_source.failed', workspaceId: null, data })
}
