import { type Caller, type FolderReader, ForbiddenError, type Granted, grant } from '../access/access.ts'
import type { Db } from '../db.ts'
import { FolderNotFoundError, getFolder, getFolderInScope, requireReadableFolders } from '../drive/drive.ts'
import { isId } from '../platform/ids.ts'
import { ProjectNotFoundError } from './projects.errors.ts'
import { findProject, type ProjectRecord } from './projects.store.ts'

export type ReadableProject = Granted<ProjectRecord, 'read'>
export type WritableProject = Granted<ProjectRecord, 'read' | 'write'>

/**
 * A project of the caller's workspace whose folder they may read. Visitors and those who speak for virtual users have none.
 * @throws ProjectNotFoundError
 */
export async function getReadableProject(db: Db, caller: Caller, projectId: string): Promise<ReadableProject> {
  const isInside = !caller.visitor && !caller.virtualUserIds && isId(projectId)
  const { organizationId, workspaceId } = caller
  const project = isInside ? await findProject(db, organizationId, workspaceId, projectId) : undefined
  if (!project) throw new ProjectNotFoundError()
  await getFolderInScope(db, caller, project.folderId).catch(asHidden)
  return grant(project)
}

/** A project whose folder the caller may change. @throws ProjectNotFoundError, ForbiddenError */
export async function getWritableProject(db: Db, caller: Caller, projectId: string): Promise<WritableProject> {
  const project = await getReadableProject(db, caller, projectId)
  await getFolder(db, caller, project.folderId).catch(asHidden)
  return grant(project)
}

/** Whether the caller may change a project that they may read. */
export async function isChangeable(db: Db, caller: Caller, { folderId }: ProjectRecord): Promise<boolean> {
  try {
    await getFolder(db, caller, folderId)
    return true
  } catch (error) {
    if (error instanceof ForbiddenError || error instanceof FolderNotFoundError) return false
    throw error
  }
}

/** The project that a run answers in; undefined if it is gone, or if whoever asked may not read its folder. */
export async function findProjectOfRun(
  db: Db,
  reader: FolderReader,
  projectId: string,
): Promise<ReadableProject | undefined> {
  const { organizationId, workspaceId } = reader
  const project = workspaceId === null ? undefined : await findProject(db, organizationId, workspaceId, projectId)
  if (!project) return undefined
  try {
    await requireReadableFolders(db, reader, [project.folderId])
    return grant(project)
  } catch (error) {
    if (error instanceof FolderNotFoundError) return undefined
    throw error
  }
}

function asHidden(error: unknown): never {
  throw error instanceof FolderNotFoundError ? new ProjectNotFoundError() : error
}
