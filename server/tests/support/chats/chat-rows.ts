import { insertChat } from '../../../src/chats/chat/chats.store.ts'
import type { Tx } from '../../../src/db.ts'
import type { startTestChat } from './chat.ts'

type At = Pick<Awaited<ReturnType<typeof startTestChat>>, 'owner' | 'agentId' | 'services'>

/**
 * Writes the row of a chat that belongs to no one in particular, for tests of statements.
 * @param fields columns that differ
 * @returns its id
 */
export async function insertPlainChat(
  tx: Tx,
  { owner: { organizationId, workspaceId }, agentId, services }: At,
  fields: Partial<Parameters<typeof insertChat>[2]> = {},
): Promise<string> {
  const id = services.newId()
  await insertChat(tx, organizationId, {
    id,
    agentId,
    workspaceId,
    title: 'x',
    chatType: 'standard',
    metadata: {},
    visitorId: null,
    virtualUserId: null,
    memberId: null,
    projectId: null,
    hasFiles: false,
    createdAt: '2026-01-01T00:00:00.000Z',
    ...fields,
  })
  return id
}
