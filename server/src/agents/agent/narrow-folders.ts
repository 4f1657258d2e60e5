import type { Db } from '../../db.ts'
import { isReadableBelow } from '../../drive/drive.ts'
import type { AgentRecord } from './agents.store.ts'

/**
 * The agent with those of its folders only that lie in some others: of what a question names, what the agent has; of
 * what the agent has, what lies below a folder that the question names. Agents that it calls are narrowed alike.
 * @param folderIds null for an agent that is not narrowed
 */
export async function narrowToFolders(db: Db, agent: AgentRecord, folderIds: string[] | null): Promise<AgentRecord> {
  if (folderIds === null) return agent
  const { organizationId, knowledgeBaseIds: own } = agent
  const kept: string[] = []
  for (const id of new Set(folderIds)) if (await isReadableBelow(db, organizationId, id, own)) kept.push(id)
  for (const id of own)
    if (!kept.includes(id) && (await isReadableBelow(db, organizationId, id, folderIds))) kept.push(id)
  return { ...agent, knowledgeBaseIds: kept, onlyFolderIds: folderIds }
}
