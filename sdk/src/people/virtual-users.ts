import type { CallOptions, Transport } from '../http/transport.ts'
import type { Body, Query } from '../operations.ts'

/** Profiles of the people for whom an application asks. For keys of a workspace's admins and owners; its id is in `me()`. */
export const virtualUsers = (transport: Transport) => ({
  /** Makes a profile; the one that has the e-mail already is returned as it is. */
  create: (workspaceId: string, user: Body<'virtualUsers.create'>, options?: CallOptions) =>
    transport.data('POST /workspaces/{workspace_id}/virtual-users', [workspaceId], { ...options, body: user }),

  /** Newest first, 50 a page by default, at most 200; pages count from 0. */
  list: (workspaceId: string, query?: Query<'virtualUsers.list'>, options?: CallOptions) =>
    transport.list('GET /workspaces/{workspace_id}/virtual-users', [workspaceId], { ...options, query }),

  /** @throws DocentError `VIRTUAL_USER_NOT_FOUND`, also when it was removed */
  get: (workspaceId: string, id: string, options?: CallOptions) =>
    transport.data('GET /workspaces/{workspace_id}/virtual-users/{virtual_user_id}', [workspaceId, id], options),

  /** Changes what is given; null clears. The e-mail stays. @throws DocentError `VIRTUAL_USER_NOT_FOUND` */
  update: (workspaceId: string, id: string, changes: Body<'virtualUsers.update'>, options?: CallOptions) =>
    transport.data('PATCH /workspaces/{workspace_id}/virtual-users/{virtual_user_id}', [workspaceId, id], {
      ...options,
      body: changes,
    }),

  /** Its chats stay attributed; to use the e-mail again brings it back. @throws DocentError `VIRTUAL_USER_NOT_FOUND` */
  delete: (workspaceId: string, id: string, options?: CallOptions) =>
    transport.data('DELETE /workspaces/{workspace_id}/virtual-users/{virtual_user_id}', [workspaceId, id], options),

  /** The chats in which the person asked something, newest first, 50 a page by default; pages count from 1. */
  chats: (workspaceId: string, id: string, query?: Query<'virtualUsers.chats'>, options?: CallOptions) =>
    transport.list('GET /workspaces/{workspace_id}/virtual-users/{virtual_user_id}/chats', [workspaceId, id], {
      ...options,
      query,
    }),

  /** Messages, chats and tokens of the person so far. @throws DocentError `VIRTUAL_USER_NOT_FOUND` */
  usage: (workspaceId: string, id: string, options?: CallOptions) =>
    transport.data('GET /workspaces/{workspace_id}/virtual-users/{virtual_user_id}/usage', [workspaceId, id], options),

  /** Folders from which agents find, read, list and cite for the person. */
  grants: {
    /** `knowledge_base_ids` is null without grants: answers then come from all that the key may read. */
    get: (workspaceId: string, id: string, options?: CallOptions) =>
      transport.data(
        'GET /workspaces/{workspace_id}/virtual-users/{virtual_user_id}/grants',
        [workspaceId, id],
        options,
      ),

    /** Counts for every question that is asked after the reply. @throws DocentError `KNOWLEDGE_BASE_NOT_FOUND` */
    set: (workspaceId: string, id: string, grants: Body<'virtualUsers.grants.set'>, options?: CallOptions) =>
      transport.data('PUT /workspaces/{workspace_id}/virtual-users/{virtual_user_id}/grants', [workspaceId, id], {
        ...options,
        body: grants,
      }),
  },

  /**
   * All that is kept about the person as a ZIP archive, as it comes: read `body` or `blob()`.
   * @throws DocentError `VIRTUAL_USER_NOT_FOUND`
   */
  export: (workspaceId: string, id: string, query?: Query<'virtualUsers.export'>, options?: CallOptions) =>
    transport.open('GET /workspaces/{workspace_id}/virtual-users/{virtual_user_id}/export', [workspaceId, id], {
      ...options,
      query,
    }),

  /** Memories that agents keep of the person with their tool `remember`. */
  memories: {
    /** Newest first, 50 a page by default; pages count from 1. @throws DocentError `VIRTUAL_USER_NOT_FOUND` */
    list: (workspaceId: string, id: string, query?: Query<'virtualUsers.memories.list'>, options?: CallOptions) =>
      transport.list('GET /workspaces/{workspace_id}/virtual-users/{virtual_user_id}/memories', [workspaceId, id], {
        ...options,
        query,
      }),

    /** Makes the agent forget it. @throws DocentError `MEMORY_NOT_FOUND` */
    delete: (workspaceId: string, id: string, memoryId: string, options?: CallOptions) =>
      transport.data(
        'DELETE /workspaces/{workspace_id}/virtual-users/{virtual_user_id}/memories/{memory_id}',
        [workspaceId, id, memoryId],
        options,
      ),
  },

  /**
   * Merges a person into another one of the workspace: chats, usage, memories, uploads and the e-mail are then theirs,
   * and the first profile is gone.
   * @throws DocentError `VIRTUAL_USER_NOT_FOUND`, `SAME_VIRTUAL_USER`, `VIRTUAL_USER_BUSY` while a question is answered
   */
  merge: (workspaceId: string, id: string, intoId: string, options?: CallOptions) =>
    transport.data('POST /workspaces/{workspace_id}/virtual-users/{virtual_user_id}/merge', [workspaceId, id], {
      ...options,
      body: { into_virtual_user_id: intoId },
    }),

  /**
   * Removes the person and what they left (messages, uploads, the name on documents) and what agents remember of them,
   * for good; a removed one, too.
   * Tells how much that was. @throws DocentError `VIRTUAL_USER_NOT_FOUND`
   */
  erase: (workspaceId: string, id: string, options?: CallOptions) =>
    transport.data('POST /workspaces/{workspace_id}/virtual-users/{virtual_user_id}/erase', [workspaceId, id], options),
})
