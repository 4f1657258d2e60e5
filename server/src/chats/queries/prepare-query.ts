import { type Caller, ForbiddenError, may } from '../../access/access.ts'
import {
  type AgentRecord,
  configuratorOf,
  type JobService,
  narrowToFilter,
  narrowToFolders,
  narrowToJob,
  renderShortcut,
  type ShortcutService,
} from '../../agents/agents.ts'
import type { Db } from '../../db.ts'
import { type FileFilter, FolderNotFoundError, isReadableBelow, requireReadableFolders } from '../../drive/drive.ts'
import type { Models } from '../../platform/models/models.ts'
import { findVirtualUser } from '../../users/users.ts'
import type { ChatRecord } from '../chat/chats.store.ts'
import type { QueryContent } from './queries.schemas.ts'

export interface PrepareQueryOptions {
  db: Db
  jobs: JobService
  shortcuts: ShortcutService
  models: Models
}

/** Work for an agent, before it is stored. */
export interface PreparedQuery {
  query: string
  /** Agent as it acts here: on a job, within certain folders, or as the one that configures it. */
  agent: AgentRecord
  jobId: string | null
  /** Folders that it is narrowed to; null for one that is not. */
  folderIds: string[] | null
  /** Filter that it is narrowed to. */
  filters: FileFilter | undefined
}

/**
 * Prepares the work of the agent: the query as it was sent, or as the shortcut writes it; on the job that was named, or the
 * shortcut's.
 */
export async function prepareQuery(
  { db, jobs, shortcuts, models }: PrepareQueryOptions,
  { caller, agent: asked, chat }: { caller: Caller; agent: AgentRecord; chat: Pick<ChatRecord, 'chatType'> },
  sent: QueryContent,
): Promise<PreparedQuery> {
  const { organizationId, workspaceId } = caller
  const virtualUserId = await findNamedUser(db, caller, sent)
  const reader = { organizationId, workspaceId, rightsHolderId: caller.rightsHolderId, virtualUserId }
  const folderIds = await requireFolders(db, caller, sent)
  if (sent.model) await requireModel(models, caller, { ...asked, model: sent.model })
  const acting = withModel(answeringAgent(chat.chatType, asked), sent.model)
  const agent = narrowToFilter(await narrowToFolders(db, reader, acting, folderIds), sent.filters)
  const named = sent.knowledge_base_ids ?? []
  if (named.some((id) => !agent.knowledgeBaseIds.includes(id))) throw new FolderNotFoundError()
  // The agent has more than the asker may read, who is not to learn from the answer what that is.
  if (named.length > 0) await requireReadableFolders(db, reader, named)
  const { shortcut_id: shortcutId, shortcut_fields_with_values: values } = sent
  const shortcut = shortcutId === null ? undefined : await shortcuts.ofAgent(organizationId, agent.id, shortcutId)
  const jobId = sent.job_id ?? shortcut?.jobId ?? null
  const job = jobId === null ? undefined : await jobs.ofAgent(organizationId, agent.id, jobId)
  const parts = [shortcut && renderShortcut(shortcut, values), sent.query?.trim() ? sent.query : undefined]
  return {
    query: parts.filter((part) => part !== undefined).join('\n\n'),
    agent: job ? await narrowToJob(db, agent, job) : agent,
    jobId,
    folderIds,
    filters: sent.filters,
  }
}

/** Requires the right to choose a model, and one that can be asked. */
async function requireModel(models: Models, caller: Caller, agent: AgentRecord): Promise<void> {
  if (caller.visitor || caller.isEndUser || caller.virtualUserIds || !may(caller, 'manage_agents'))
    throw new ForbiddenError('To choose the model of an answer takes the permission manage_agents; leave out model')
  await models.resolveFor(agent)
}

/** Agent as it answers with a model that the query names. */
export const withModel = (agent: AgentRecord, model: string | null | undefined): AgentRecord =>
  model ? { ...agent, model } : agent

/** Virtual user whose grants count for the folders that a query names; undefined where it names none. */
async function findNamedUser(
  db: Db,
  { organizationId, workspaceId, virtualUserId }: Caller,
  { knowledge_base_ids: named, virtual_user_email: email }: QueryContent,
): Promise<string | undefined> {
  return named && email ? findVirtualUser(db, organizationId, workspaceId, email) : virtualUserId
}

/**
 * Folders that a query is answered from: those that it names, else those that the caller's virtual user is narrowed to.
 * @throws FolderNotFoundError for one outside of these
 */
async function requireFolders(
  db: Db,
  caller: Caller,
  { knowledge_base_ids: named }: QueryContent,
): Promise<string[] | null> {
  const within = caller.virtualUserIds && caller.scopes?.knowledge_base_ids
  if (!within) return named ?? null
  for (const id of named ?? []) if (!(await isReadableBelow(db, caller, id, within))) throw new FolderNotFoundError()
  return named ?? within
}

/** Agent that answers in a chat of this type: the one that was asked, or the one that configures it. */
export const answeringAgent = (chatType: ChatRecord['chatType'] | undefined, agent: AgentRecord): AgentRecord =>
  chatType === 'configuration' ? configuratorOf(agent) : agent
