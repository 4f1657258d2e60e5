import type { CallOptions, Transport } from '../http/transport.ts'
import type { Body, Query } from '../operations.ts'

/**
 * Projects: a folder, instructions and chats in one place. Rights to the folder are rights to the project, so it is shared
 * with `knowledgeBases.grants`. One that is not there: DocentError `PROJECT_NOT_FOUND`.
 */
export const projects = (transport: Transport) => ({
  /**
   * Creates a project with a new folder, closed to other members unless `is_private` is false, or with the folder
   * `knowledge_base_id`.
   */
  create: (project: Body<'projects.create'>, options?: CallOptions) =>
    transport.data('POST /projects', [], { ...options, body: project }),

  /** Lists projects by name, 50 a page by default; `search` matches part of the name. */
  list: (query: Query<'projects.list'> = {}, options?: CallOptions) =>
    transport.list('GET /projects', [], { ...options, query }),

  get: (projectId: string, options?: CallOptions) => transport.data('GET /projects/{project_id}', [projectId], options),

  update: (projectId: string, changes: Body<'projects.update'>, options?: CallOptions) =>
    transport.data('PATCH /projects/{project_id}', [projectId], { ...options, body: changes }),

  /** Its chats leave it (own ones go with `delete_chats`), and its folder stays unless `delete_folder` is true. */
  delete: (projectId: string, query: Query<'projects.delete'> = {}, options?: CallOptions) =>
    transport.data('DELETE /projects/{project_id}', [projectId], { ...options, query }),

  /** Own chats in it, with any agent, the last used first. */
  chats: (projectId: string, query: Query<'projects.chats.list'> = {}, options?: CallOptions) =>
    transport.list('GET /projects/{project_id}/chats', [projectId], { ...options, query }),
})
