import { z } from 'zod'
import { ObjectId } from '../../platform/http/validation/schemas.ts'

const Ids = z.array(z.string()).max(1000)

export const SetVirtualUserGrants = z
  .strictObject({
    knowledge_base_ids: Ids.nullable().meta({
      description:
        'All folders that answers to the virtual user may come from, each with what is below it; none if it is empty; null: no grants, so all that the key may read',
    }),
  })
  .meta({ id: 'SetVirtualUserGrants' })
export type SetVirtualUserGrants = z.infer<typeof SetVirtualUserGrants>

const VirtualUserGrants = z
  .object({
    knowledge_base_ids: z
      .array(ObjectId)
      .nullable()
      .meta({ description: 'Granted folders that are there, by name; null: no grants, so all that the key may read' }),
    knowledge_bases: z
      .array(z.object({ id: ObjectId, name: z.string() }))
      .nullable()
      .meta({ description: 'Their names' }),
  })
  .meta({
    id: 'VirtualUserGrants',
    description: 'Folders from which agents find, read, list and cite for a virtual user',
  })

export const VirtualUserGrantsReply = z.object({ data: VirtualUserGrants })
