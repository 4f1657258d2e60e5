import { z } from 'zod'
import { FOLDER_LEVELS, GrantId, GrantKind, grantList } from '../../access/access.ts'
import { ObjectId, PictureUrl } from '../../platform/http/validation/schemas.ts'

const Level = z.enum(FOLDER_LEVELS).meta({
  description:
    'none: the folder is not there for them. read, write and manage, which is to say who may, each with those before',
})

const FolderGrant = z
  .object({
    kind: GrantKind,
    id: GrantId,
    name: z.string().meta({ description: 'Empty for the workspace' }),
    level: Level,
  })
  .meta({
    id: 'FolderGrant',
    description: 'Right to a folder and all below it, as far as no folder below has a grant to the same people',
  })

const FolderName = {
  knowledge_base_id: ObjectId.nullable().meta({ description: 'Null for a folder that you may not read' }),
  knowledge_base_name: z.string().nullable(),
}

const PersonAccess = z
  .object({
    id: ObjectId.meta({ description: 'The member' }),
    name: z.string(),
    picture_url: PictureUrl,
    level: Level,
    because: z.enum(['role', 'member', 'group', 'workspace', 'no_grant']).meta({
      description:
        'role: owners and admins manage all folders; no_grant: nothing says otherwise, so members read and write; else the kind of the grant that decides',
    }),
    group_name: z.string().nullable().meta({ description: 'The group that decides, if one does' }),
    ...FolderName,
  })
  .meta({ id: 'FolderAccessOfPerson', description: 'Right of a member to a folder, and the grant that it comes from' })

const FolderGrants = z
  .object({
    grants: z.array(FolderGrant),
    can_change: z.boolean().meta({
      description:
        'Whether the caller manages the folder. Others see their own right and who manages it, but no grants',
    }),
    inherited: z
      .array(FolderGrant.extend(FolderName).meta({ id: 'InheritedFolderGrant' }))
      .meta({ description: 'Grants of the folders that it lies in, the nearest first' }),
    people: z.array(PersonAccess).meta({ description: 'Members of your workspace by name, 1,000 at most' }),
    people_total: z.number().int(),
  })
  .meta({ id: 'FolderGrants', description: 'Rights of your workspace to a folder: who may do what, and why' })

export const FolderGrantsReply = z.object({ data: FolderGrants })

export const SetFolderGrants = grantList(z.strictObject({ kind: GrantKind, id: GrantId, level: Level })).meta({
  id: 'SetFolderGrants',
  description: 'All grants of a folder to people of your workspace, from then on',
})
export type SetFolderGrants = z.infer<typeof SetFolderGrants>
