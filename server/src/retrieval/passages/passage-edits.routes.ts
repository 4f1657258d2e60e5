import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { reach } from '../../access/access.ts'
import { DataSourceParams } from '../../drive/drive.ts'
import { failures } from '../../platform/http/failures.ts'
import { Success } from '../../platform/http/validation/schemas.ts'
import { ChangePassage, EditParams, PassageEdit } from './passage-edits.schemas.ts'
import type { PassageEdits, ShownEdit } from './passage-edits.service.ts'

export const path = '/knowledge-bases/:knowledge_base_id/data-sources/:data_source_id/passage-edits'
const fileAt = (params: { knowledge_base_id: string; data_source_id: string }) => ({
  folderId: params.knowledge_base_id,
  dataSourceId: params.data_source_id,
})

const toPassageEdit = (edit: Omit<ShownEdit, 'key'> & Partial<ShownEdit>): z.infer<typeof PassageEdit> => ({
  id: edit.id,
  kind: edit.kind,
  state: edit.state,
  text: edit.text,
  anchor_text: edit.anchorText,
  api_key_id: edit.key?.id ?? null,
  api_key_name: edit.key?.name ?? null,
  member_id: edit.key?.memberId ?? null,
  created_at: edit.createdAt,
  updated_at: edit.updatedAt,
})

export const passageEditRoutes =
  ({ passageEdits }: { passageEdits: PassageEdits }): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      path,
      {
        config: { access: { who: 'caller', on: [reach.folder('read'), reach.part('data_source')] } },
        schema: {
          operationId: 'dataSources.passageEdits.list',
          tags: ['Drive'],
          summary: 'List the changes of a file’s passages by hand',
          params: DataSourceParams,
          response: {
            200: z.object({ data: z.object({ passage_edits: z.array(PassageEdit) }) }),
            ...failures(401, 404),
          },
        },
      },
      async ({ caller, params }) => ({
        data: { passage_edits: (await passageEdits.list(caller, fileAt(params))).map(toPassageEdit) },
      }),
    )

    app.post(
      path,
      {
        config: { access: { who: 'caller', on: [reach.folder('write'), reach.part('data_source')] } },
        schema: {
          operationId: 'dataSources.passageEdits.create',
          tags: ['Drive'],
          summary: 'Edit a passage of a file, switch it off, or add one after it',
          description:
            'Searches find the change soon after. It stays when the file is indexed again and when its content is replaced, as long as the passage stands in it as it was. `data` is null when an added passage was switched off, and with that is gone.',
          params: DataSourceParams,
          body: ChangePassage,
          response: {
            200: z.object({ status: Success, data: PassageEdit.nullable() }),
            ...failures(400, 401, 403, 404, 409),
          },
        },
      },
      async ({ caller, params, body }) => {
        const { kind, ordinal, was } = body
        const wanted = kind === 'off' ? { kind, ordinal, was } : { kind, ordinal, was, text: body.text! }
        const edit = await passageEdits.change(caller, fileAt(params), wanted)
        return { status: 'success' as const, data: edit ? toPassageEdit(edit) : null }
      },
    )

    app.delete(
      `${path}/:passage_edit_id`,
      {
        config: {
          access: { who: 'caller', on: [reach.folder('write'), reach.part('data_source'), reach.part('passage_edit')] },
        },
        schema: {
          operationId: 'dataSources.passageEdits.undo',
          tags: ['Drive'],
          summary: 'Take a change of a passage back: it is again as it was read',
          params: EditParams,
          response: { 200: z.object({ status: Success }), ...failures(401, 403, 404) },
        },
      },
      async ({ caller, params }) => {
        await passageEdits.undo(caller, fileAt(params), params.passage_edit_id)
        return { status: 'success' as const }
      },
    )
  }
