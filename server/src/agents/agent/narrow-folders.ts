import type { FolderReader } from '../../access/access.ts'
import type { Db } from '../../db.ts'
import { type FileFilter, isReadableBelow } from '../../drive/drive.ts'
import type { AgentRecord } from './agents.store.ts'

/**
 * The agent with those of its folders only that lie in some others: of what a question names, what the agent has; of
 * what the agent has, what lies below a folder that the question names. Agents that it calls are narrowed alike.
 * @param reader somebody who may read what the question names
 * @param folderIds null for an agent that is not narrowed
 */
export async function narrowToFolders(
  db: Db,
  reader: FolderReader,
  agent: AgentRecord,
  folderIds: string[] | null,
): Promise<AgentRecord> {
  if (folderIds === null) return agent
  const { knowledgeBaseIds: own } = agent
  const kept: string[] = []
  for (const id of new Set(folderIds)) if (await isReadableBelow(db, reader, id, own)) kept.push(id)
  // By place alone: there may be something to read below what the reader may not.
  const anybody = anybodyOf(agent)
  for (const id of own) if (!kept.includes(id) && (await isReadableBelow(db, anybody, id, folderIds))) kept.push(id)
  // Narrowed a second time: what it calls is held to both.
  return { ...agent, knowledgeBaseIds: kept, onlyFolderIds: agent.onlyFolderIds ? kept : folderIds }
}

/** The agent as it reads only files that meet one more filter; agents that it calls are narrowed alike. */
export const narrowToFilter = (agent: AgentRecord, filter: FileFilter | null | undefined): AgentRecord =>
  filter ? { ...agent, onlyFilters: [...(agent.onlyFilters ?? []), filter] } : agent

/** Filters that a file must meet for the agent to read it. */
export const filtersOf = ({ filters, onlyFilters = [] }: AgentRecord): FileFilter[] => [
  ...(filters ? [filters] : []),
  ...onlyFilters,
]

/** The organization of an agent, which reads all that it has. */
export const anybodyOf = ({ organizationId, workspaceId }: AgentRecord): FolderReader => ({
  organizationId,
  workspaceId,
  rightsHolderId: null,
})
