import { type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../../db.ts'
import { contains } from '../../platform/database/contains.ts'
import type { EmptyProject } from '../../projects/projects.ts'
import type { ChatTable } from '../chats.tables.ts'
import type { ChatFilter } from './chats.store.ts'

const LARGEST_TASK = 500

/** Owner of chats: a member, or null for keys. */
interface Owner {
  memberId: string | null
}

interface ProjectChatsFilter extends Pick<ChatFilter, 'isArchived' | 'isPinned'> {
  search?: string | undefined
  limit: number
  offset: number
}

const selectOwn = (db: Db, organizationId: string, projectId: string, { memberId }: Owner) =>
  db
    .selectFrom('chat')
    .where('organization_id', '=', organizationId)
    .where('project_id', '=', projectId)
    .where('member_id', 'is not distinct from', memberId)

/** Chats of one owner in a project, of any agent, the last used first. */
export async function listChatsOfProject(
  db: Db,
  organizationId: string,
  projectId: string,
  { search, isArchived, isPinned, limit, offset, ...owner }: Owner & ProjectChatsFilter,
): Promise<{ rows: Selectable<ChatTable>[]; total: number }> {
  const matching = () => {
    let own = selectOwn(db, organizationId, projectId, owner)
    if (isArchived !== undefined) own = own.where('is_archived', '=', Number(isArchived))
    if (isPinned !== undefined) own = own.where('is_pinned', '=', Number(isPinned))
    return search ? own.where(contains('title_key', search)) : own
  }
  const { total } = await matching()
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await matching()
    .selectAll()
    .orderBy(sql`coalesce(last_message_at, created_at)`, 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return { rows, total: Number(total) }
}

/** Takes all chats out of a project; those of one owner are removed by a task if that is asked. */
export const emptyProject: EmptyProject = async (tx: Tx, queue, organizationId, projectId, deleted) => {
  const own = deleted ? await selectOwn(tx, organizationId, projectId, deleted).select('id').execute() : []
  for (let from = 0; from < own.length; from += LARGEST_TASK) {
    const chatIds = own.slice(from, from + LARGEST_TASK).map(({ id }) => id)
    await queue.enqueue(tx, organizationId, 'chats.remove', { chatIds })
  }
  await tx
    .updateTable('chat')
    .set({ project_id: null })
    .where('organization_id', '=', organizationId)
    .where('project_id', '=', projectId)
    .execute()
}
