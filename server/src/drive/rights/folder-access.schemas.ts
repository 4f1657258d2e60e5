import { z } from 'zod'
import { FOLDER_LEVELS } from '../../access/access.ts'
import { ObjectId } from '../../platform/http/validation/schemas.ts'

const Level = z.enum(FOLDER_LEVELS).meta({
  description:
    'none: the folder is not there for them. read, write and manage, which is to say who may, each with those before',
})

const Entry = z
  .object({
    kind: z.enum(['member', 'group', 'everyone']),
    id: ObjectId.nullable().meta({ description: 'Null for everyone of the workspace' }),
    name: z.string(),
    level: Level,
  })
  .meta({
    id: 'FolderAccessEntry',
    description: 'Right to a folder and all below it, as far as no folder below has an own',
  })

const FolderName = {
  knowledge_base_id: ObjectId.nullable().meta({ description: 'Null for a folder that you may not read' }),
  knowledge_base_name: z.string().nullable(),
}

const PersonAccess = z
  .object({
    id: ObjectId.meta({ description: 'The member' }),
    name: z.string(),
    level: Level,
    because: z.enum(['role', 'member', 'group', 'everyone', 'no_entry']).meta({
      description:
        'role: owners and admins manage all folders; no_entry: nothing says otherwise, so members read and write; else the kind of the entry that decides',
    }),
    group_name: z.string().nullable().meta({ description: 'The group that decides, if one does' }),
    ...FolderName,
  })
  .meta({ id: 'FolderAccessOfPerson', description: 'Right of a member to a folder, and the entry that it comes from' })

const FolderAccess = z
  .object({
    can_change: z.boolean().meta({
      description:
        'Whether the caller manages the folder. Who does not is told their own right and who manages it, and no entries',
    }),
    entries: z.array(Entry),
    inherited: z
      .array(Entry.extend(FolderName).meta({ id: 'InheritedFolderAccessEntry' }))
      .meta({ description: 'Entries of the folders that it lies in, the nearest first' }),
    people: z.array(PersonAccess).meta({ description: 'Members of your workspace by name, 1,000 at most' }),
    people_total: z.number().int(),
  })
  .meta({ id: 'FolderAccess', description: 'Rights of your workspace to a folder: who may do what, and why' })

export const FolderAccessReply = z.object({ data: FolderAccess })

const Chosen = z.array(z.strictObject({ id: z.string(), level: Level })).max(1000)

export const SetFolderAccess = z
  .strictObject({
    everyone: Level.nullable()
      .default(null)
      .meta({ description: 'Level of all members of your workspace; null: no entry' }),
    members: Chosen.default([]),
    groups: Chosen.default([]),
  })
  .meta({ id: 'SetFolderAccess', description: 'All entries of a folder for your workspace, from then on' })
export type SetFolderAccess = z.infer<typeof SetFolderAccess>
