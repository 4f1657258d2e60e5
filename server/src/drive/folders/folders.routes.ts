import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { type Caller, isBound, reach } from '../../access/access.ts'
import { failures } from '../../platform/http/failures.ts'
import {
  CreatedFolderReply,
  CreateFolder,
  DeletedReply,
  FolderListReply,
  FolderParams,
  FolderReply,
  GetFolderQuery,
  ListFoldersQuery,
  toCreatedFolder,
  toFolderItem,
  UpdateFolder,
} from './folders.schemas.ts'
import type { FolderService } from './folders.service.ts'
import type { Folder } from './folders.store.ts'

/** The folders that a bound key may see; undefined for all. */
const foldersWithin = ({ scopes }: Caller): string[] | undefined =>
  scopes && isBound(scopes) ? (scopes.knowledge_base_ids ?? []) : undefined

export const folderRoutes =
  ({ folders }: { folders: FolderService }): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      '/knowledge-bases',
      {
        config: {
          access: {
            who: 'create_knowledgebase',
            on: [reach.folder('write', 'body.parent_kb_id', 'required')],
            bound: 'checked',
          },
        },
        schema: {
          operationId: 'knowledgeBases.create',
          summary: 'Create a folder',
          body: CreateFolder,
          response: { 200: CreatedFolderReply, ...failures(400, 401, 403, 404, 409) },
        },
      },
      async ({ caller, body }) => {
        const folder = await folders.create(caller, body)
        return { status: 'success' as const, data: toCreatedFolder(folder) }
      },
    )

    app.get(
      '/knowledge-bases',
      {
        config: { access: { who: 'caller', on: [reach.folder('read', 'query.parent_kb_id')], bound: 'filtered' } },
        schema: {
          operationId: 'knowledgeBases.list',
          summary:
            'List the folders at the root or in a parent, by name, with the number of their sub-folders if asked for',
          querystring: ListFoldersQuery,
          response: { 200: FolderListReply, ...failures(400, 401, 404) },
        },
      },
      async ({ caller, query }) => {
        const { own, shared } = await folders.list(caller, query, foldersWithin(caller))
        const counts = query.include_counts ? await folders.countFoldersIn(caller, [...own, ...shared]) : undefined
        const toListed = (folder: Folder) => ({
          ...toFolderItem(folder),
          ...(counts && { child_folders_count: counts.get(folder.id) ?? 0 }),
        })
        return {
          status: 'success' as const,
          data: { org_knowledge_bases: own.map(toListed), shared_knowledge_bases: shared.map(toListed) },
        }
      },
    )

    app.get(
      '/knowledge-bases/:knowledge_base_id',
      {
        config: { access: { who: 'caller', on: [reach.folder('read')] } },
        schema: {
          operationId: 'knowledgeBases.get',
          summary: 'Get a folder, with the number of its sub-folders and files if asked for',
          params: FolderParams,
          querystring: GetFolderQuery,
          response: { 200: FolderReply, ...failures(400, 401, 404) },
        },
      },
      async ({ caller, params, query }) => {
        const folder = await folders.get(caller, params.knowledge_base_id)
        const data = toFolderItem(folder)
        if (!query.include_counts) return { status: 'success' as const, data }
        const counts = await folders.countChildren(caller, folder)
        return {
          status: 'success' as const,
          data: { ...data, child_folders_count: counts.folders, files_count: counts.files },
        }
      },
    )

    app.patch(
      '/knowledge-bases/:knowledge_base_id',
      {
        config: { access: { who: 'caller', on: [reach.folder('write'), reach.folder('write', 'body.parent_kb_id')] } },
        schema: {
          operationId: 'knowledgeBases.update',
          summary: 'Rename, tag or move a folder',
          params: FolderParams,
          body: UpdateFolder,
          response: { 200: FolderReply, ...failures(400, 401, 403, 404, 409) },
        },
      },
      async ({ caller, params, body }) => {
        const folder = await folders.update(caller, params.knowledge_base_id, body)
        return { status: 'success' as const, data: toFolderItem(folder) }
      },
    )

    app.delete(
      '/knowledge-bases/:knowledge_base_id',
      {
        config: { access: { who: 'caller', on: [reach.folder('write')] } },
        schema: {
          operationId: 'knowledgeBases.delete',
          summary: 'Delete a folder with all its sub-folders and files, for good',
          params: FolderParams,
          response: { 200: DeletedReply, ...failures(400, 401, 403, 404) },
        },
      },
      async ({ caller, params }) => {
        const folder = await folders.remove(caller, params.knowledge_base_id)
        return {
          status: 'success' as const,
          message: `Knowledge base "${folder.name}" and its contents were deleted`,
        }
      },
    )
  }
