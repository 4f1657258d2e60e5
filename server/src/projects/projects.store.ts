import type { Selectable } from 'kysely'
import type { Db, Tx } from '../db.ts'
import { contains } from '../platform/database/contains.ts'
import type { ProjectTable } from './projects.tables.ts'

export interface ProjectRecord {
  id: string
  workspaceId: string
  /** Member who made it; null for one that a key made. */
  memberId: string | null
  name: string
  instructions: string
  folderId: string
  /** Default agent of new chats. */
  agentId: string | null
  createdAt: string
  updatedAt: string
}

const toProject = (row: Selectable<ProjectTable>): ProjectRecord => ({
  id: row.id,
  workspaceId: row.workspace_id,
  memberId: row.member_id,
  name: row.name,
  instructions: row.instructions,
  folderId: row.knowledge_base_id,
  agentId: row.agent_id,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

export async function insertProject(tx: Tx, organizationId: string, project: ProjectRecord): Promise<void> {
  await tx
    .insertInto('project')
    .values({
      id: project.id,
      organization_id: organizationId,
      workspace_id: project.workspaceId,
      member_id: project.memberId,
      name: project.name,
      name_key: project.name.toLowerCase(),
      instructions: project.instructions,
      knowledge_base_id: project.folderId,
      agent_id: project.agentId,
      created_at: project.createdAt,
      updated_at: project.updatedAt,
    })
    .execute()
}

export async function findProject(
  db: Db,
  organizationId: string,
  workspaceId: string,
  projectId: string,
): Promise<ProjectRecord | undefined> {
  const row = await db
    .selectFrom('project')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', projectId)
    .executeTakeFirst()
  return row && toProject(row)
}

/** All projects of a workspace, by name, whoever may see them. */
export async function listProjects(
  db: Db,
  organizationId: string,
  workspaceId: string,
  search: string | undefined,
): Promise<ProjectRecord[]> {
  let query = db
    .selectFrom('project')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('workspace_id', '=', workspaceId)
  if (search) query = query.where(contains('name_key', search))
  return (await query.orderBy('name_key').orderBy('id').execute()).map(toProject)
}

export type ProjectChange = Partial<Pick<ProjectRecord, 'name' | 'instructions' | 'agentId'>>

/** @returns the project as it is now; undefined when it is gone */
export async function updateProject(
  tx: Tx,
  organizationId: string,
  projectId: string,
  { name, instructions, agentId }: ProjectChange,
  at: string,
): Promise<ProjectRecord | undefined> {
  const row = await tx
    .updateTable('project')
    .set({
      updated_at: at,
      ...(name !== undefined && { name, name_key: name.toLowerCase() }),
      ...(instructions !== undefined && { instructions }),
      ...(agentId !== undefined && { agent_id: agentId }),
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', projectId)
    .returningAll()
    .executeTakeFirst()
  return row && toProject(row)
}

/** Removes it; its chats are to have left it before. */
export async function deleteProject(tx: Tx, organizationId: string, projectId: string): Promise<void> {
  await tx.deleteFrom('project').where('organization_id', '=', organizationId).where('id', '=', projectId).execute()
}
