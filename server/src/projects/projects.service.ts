import { type Caller, setFolderGrants } from '../access/access.ts'
import type { AgentService } from '../agents/agents.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Tx } from '../db.ts'
import { commitNamed, type FolderService, findFreeName, findReadableIds, getFolder } from '../drive/drive.ts'
import type { KernelParts } from '../kernel-parts.ts'
import { isoNow } from '../platform/clock.ts'
import { commitChecked } from '../platform/database/statements/commit-checked.ts'
import type { Queue } from '../queue/queue.ts'
import { getReadableProject, getWritableProject, isChangeable } from './projects.access.ts'
import { ProjectNotFoundError } from './projects.errors.ts'
import type { CreateProject, DeleteProjectQuery, ProjectListQuery, UpdateProject } from './projects.schemas.ts'
import { deleteProject, insertProject, listProjects, type ProjectRecord, updateProject } from './projects.store.ts'

/** Takes the chats out of a project that goes; those of one owner are deleted if that is asked. */
export type EmptyProject = (
  tx: Tx,
  queue: Pick<Queue, 'enqueue'>,
  organizationId: string,
  projectId: string,
  deleted: { memberId: string | null } | undefined,
) => Promise<void>

export interface ProjectServiceOptions extends Pick<KernelParts, 'clock' | 'db' | 'newId' | 'queue' | 'writes'> {
  folders: FolderService
  agents: AgentService
  emptyProject: EmptyProject
}

/** A project as a caller sees it. */
export interface ShownProject {
  project: ProjectRecord
  isOwn: boolean
  canChange: boolean
}

export class ProjectService {
  readonly #options: ProjectServiceOptions

  constructor(options: ProjectServiceOptions) {
    this.#options = options
  }

  /** @throws ProjectNotFoundError */
  async get(caller: Caller, projectId: string): Promise<ShownProject> {
    return this.#shown(caller, await getReadableProject(this.#options.db, caller, projectId))
  }

  /** Requires a project that the caller may put chats into. @throws ProjectNotFoundError */
  async require(caller: Caller, projectId: string): Promise<void> {
    await getReadableProject(this.#options.db, caller, projectId)
  }

  /** Projects that the caller may see, by name. */
  async list(caller: Caller, { page, page_size, search }: ProjectListQuery) {
    const { db } = this.#options
    const { organizationId, workspaceId } = caller
    const all = await listProjects(db, organizationId, workspaceId, search)
    const folderIds = [...new Set(all.map(({ folderId }) => folderId))]
    const readable = await findReadableIds(db, caller, folderIds)
    const seen = all.filter(({ folderId }) => readable.has(folderId))
    const shown = seen.slice((page - 1) * page_size, page * page_size)
    return {
      projects: await Promise.all(shown.map((project) => this.#shown(caller, project))),
      total: seen.length,
    }
  }

  /**
   * Makes a project, with a folder of its own unless one is named.
   * @throws AgentNotFoundError, FolderNotFoundError, ForbiddenError for a folder that the caller may only read
   */
  async create(caller: Caller, wanted: CreateProject): Promise<ShownProject> {
    const { db, writes, newId, clock, agents } = this.#options
    const { organizationId, workspaceId, memberId = null } = caller
    if (wanted.agent_id !== null) await agents.get(caller, wanted.agent_id)
    const at = isoNow(clock)
    const project = await commitNamed(writes, organizationId, wanted.name, async (tx) => {
      const made: ProjectRecord = {
        id: newId(),
        workspaceId,
        memberId,
        name: wanted.name,
        instructions: wanted.instructions,
        folderId: await this.#folderFor(tx, caller, wanted, at),
        agentId: wanted.agent_id,
        createdAt: at,
        updatedAt: at,
      }
      await insertProject(tx, organizationId, made)
      const details = { knowledge_base_id: made.folderId }
      await recordAudit(tx, caller, { action: 'project.created', at, target: targetOf(made), details })
      return made
    })
    return { project, isOwn: true, canChange: await isChangeable(db, caller, project) }
  }

  /** @throws ProjectNotFoundError, ForbiddenError, AgentNotFoundError */
  async update(caller: Caller, projectId: string, changes: UpdateProject): Promise<ShownProject> {
    const { writes, clock, agents } = this.#options
    const { organizationId } = caller
    const { agent_id: agentId, ...fields } = changes
    if (agentId) await agents.get(caller, agentId)
    const at = isoNow(clock)
    const project = await commitChecked(writes, async (tx) => {
      const before = await getWritableProject(tx, caller, projectId)
      const changed = await updateProject(tx, organizationId, before.id, { ...fields, agentId }, at)
      if (!changed) throw new ProjectNotFoundError()
      const details = { changed: Object.keys(changes) }
      await recordAudit(tx, caller, { action: 'project.updated', at, target: targetOf(changed), details })
      return changed
    })
    return this.#shown(caller, project)
  }

  /**
   * Deletes it: its chats leave it, or are deleted as far as they are the caller's, and its folder stays or goes, all or
   * nothing.
   * @throws ProjectNotFoundError, ForbiddenError, FolderLinkedError for a folder that an integration would make again
   */
  async remove(caller: Caller, projectId: string, { delete_chats, delete_folder }: DeleteProjectQuery): Promise<void> {
    const { writes, queue, clock, folders, emptyProject } = this.#options
    const { organizationId, memberId = null } = caller
    await commitNamed(writes, organizationId, undefined, async (tx) => {
      const project = await getWritableProject(tx, caller, projectId)
      if (delete_folder) await folders.removeFor(tx, caller, project.folderId)
      await emptyProject(tx, queue, organizationId, project.id, delete_chats ? { memberId } : undefined)
      await deleteProject(tx, organizationId, project.id)
      const details = { delete_chats, delete_folder }
      await recordAudit(tx, caller, {
        action: 'project.deleted',
        at: isoNow(clock),
        target: targetOf(project),
        details,
      })
    })
  }

  /** The folder that is named, or a new one: closed to other members if a person asks for that. */
  async #folderFor(tx: Tx, caller: Caller, wanted: CreateProject, at: string): Promise<string> {
    const { organizationId, workspaceId, memberId } = caller
    if (wanted.knowledge_base_id !== null) return (await getFolder(tx, caller, wanted.knowledge_base_id)).id
    const name = await findFreeName(tx, organizationId, wanted.name)
    const { id } = await this.#options.folders.createFor(tx, caller, {
      knowledge_base_name: name,
      user_defined_tags: [],
    })
    if (wanted.is_private && memberId !== undefined) {
      const grants = [
        { kind: 'workspace' as const, id: workspaceId, level: 'none' as const },
        { kind: 'member' as const, id: memberId, level: 'manage' as const },
      ]
      await setFolderGrants(tx, organizationId, workspaceId, id, { grants, at })
    }
    return id
  }

  async #shown(caller: Caller, project: ProjectRecord): Promise<ShownProject> {
    const isOwn = project.memberId === (caller.memberId ?? null)
    return { project, isOwn, canChange: await isChangeable(this.#options.db, caller, project) }
  }
}

const targetOf = ({ id, name }: ProjectRecord) => ({ type: 'project', id, name }) as const
