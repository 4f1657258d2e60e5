import { type Caller, ForbiddenError } from '../../../access/access.ts'
import type { Db } from '../../../db.ts'
import {
  DataSourceNotFoundError,
  FolderNotFoundError,
  findReadableFiles,
  isReadableBelow,
} from '../../../drive/drive.ts'
import { isId } from '../../../platform/ids.ts'

/** Holds callers that speak for certain virtual users to the files that answers to these cite. */
export function createCitedFiles({ db }: { db: Db }) {
  /**
   * @throws ForbiddenError for an end user whose token opens no files, FolderNotFoundError for a folder that the caller
   *   is narrowed away from, DataSourceNotFoundError for a file that no answer to them cites
   */
  return async (caller: Caller, folderId: string, fileId: string): Promise<void> => {
    const { organizationId, workspaceId, virtualUserIds, scopes } = caller
    if (!virtualUserIds) return
    if (caller.isEndUser && !caller.readsCitedFiles)
      throw new ForbiddenError('This user token opens no files: it was made without read_cited_files')
    const within = scopes?.knowledge_base_ids
    if (within && !(await isReadableBelow(db, caller, folderId, within))) throw new FolderNotFoundError()
    if (!isId(fileId) || virtualUserIds.length === 0) throw new DataSourceNotFoundError()
    let citing = db
      .selectFrom('message')
      .innerJoin('chat', 'chat.id', 'message.chat_id')
      .select('message.virtual_user_id as virtualUserId')
      .distinct()
      .where('message.organization_id', '=', organizationId)
      .where('message.virtual_user_id', 'in', virtualUserIds)
      .where('message.citations', 'like', `%"${fileId}"%`)
      .where('chat.organization_id', '=', organizationId)
      .where('chat.workspace_id', '=', workspaceId)
      .where('chat.virtual_user_id', 'in', virtualUserIds)
    if (scopes?.agent_ids) citing = citing.where('message.agent_id', 'in', scopes.agent_ids)
    for (const { virtualUserId } of await citing.execute())
      if ((await findReadableFiles(db, { ...caller, virtualUserId }, [fileId])).has(fileId)) return
    throw new DataSourceNotFoundError()
  }
}
