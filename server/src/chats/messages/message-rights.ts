import { type Caller, findKeyName, findMemberName, listGrantedFolders } from '../../access/access.ts'
import type { AgentService } from '../../agents/agents.ts'
import type { Db } from '../../db.ts'
import { findReadableIds, listFolderPaths, readableFolderTree } from '../../drive/drive.ts'
import type { ThreadRecord } from '../chat/chats.store.ts'
import type { MessageRecord } from './messages.store.ts'

export interface MessageRightsOptions {
  db: Db
  agents: Pick<AgentService, 'getRecent'>
}

interface Named {
  id: string
  name: string
}

/** Rights with which a message was answered. */
export interface MessageRights {
  /** `visitor`: somebody who came through a link, with the rights of `member` if it names one. */
  rights_of: 'member' | 'api_key' | 'virtual_user' | 'visitor'
  member: Named | null
  api_key: Named | null
  virtual_user_id: string | null
  /** Folders of the agent by their paths, and whether these rights let it read them now. */
  folders: { id: string; path: string[]; can_read: boolean }[]
}

const MOST_FOLDERS = 100

/**
 * Finds the rights with which a message was answered; the folders are those of the agent that the caller may read,
 * as they are now.
 */
export async function findMessageRights(
  { db, agents }: MessageRightsOptions,
  caller: Caller,
  chat: Pick<ThreadRecord, 'visitorId'>,
  message: MessageRecord,
): Promise<MessageRights> {
  const { organizationId, workspaceId } = caller
  const { rightsHolderId, virtualUserId, apiKeyId } = message
  const agent = await agents.getRecent(caller, message.agentId)
  const ids = agent.knowledgeBaseIds
  const reader = { organizationId, workspaceId, rightsHolderId, virtualUserId }
  const readable = await findReadableIds(db, reader, ids)
  const folders: MessageRights['folders'] = []
  for (const tree of await readableFolderTree(db, caller, ids, { recursive: false }))
    for (const { id, path } of (await listFolderPaths(db, tree, MOST_FOLDERS)).folders)
      folders.push({ id, path, can_read: readable.has(id) })
  const isGranted = virtualUserId !== null && (await listGrantedFolders(db, organizationId, virtualUserId)) !== null
  const memberId = rightsHolderId === workspaceId ? null : rightsHolderId
  const memberName = memberId && (await findMemberName(db, organizationId, workspaceId, memberId))
  const keyName = apiKeyId && (await findKeyName(db, organizationId, apiKeyId))
  return {
    rights_of: chat.visitorId ? 'visitor' : memberId ? 'member' : isGranted ? 'virtual_user' : 'api_key',
    member: memberId ? { id: memberId, name: memberName || 'Somebody who left the workspace' } : null,
    api_key: keyName ? { id: apiKeyId!, name: keyName } : null,
    virtual_user_id: virtualUserId,
    folders,
  }
}
