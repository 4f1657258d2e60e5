import { z } from 'zod'
import {
  BooleanQuery,
  listOf,
  Name,
  ObjectId,
  PageQuery,
  TextQuery,
  Timestamp,
} from '../platform/http/validation/schemas.ts'

const MOST_CHARACTERS = 8000

const Instructions = z
  .string()
  .max(MOST_CHARACTERS, `must have at most ${MOST_CHARACTERS} characters`)
  .meta({ description: 'Instructions to the model in every chat of the project, after those of its agent' })
const AgentId = z
  .string()
  .nullable()
  .meta({ description: 'Agent that the UI begins new chats of the project with; null: the person chooses' })

export const Project = z
  .object({
    id: ObjectId,
    name: z.string(),
    instructions: z.string(),
    knowledge_base_id: ObjectId.meta({
      description: 'Folder with its files; who may read it sees the project, who may write it may change the project',
    }),
    agent_id: ObjectId.nullable(),
    is_own: z.boolean().meta({ description: 'Whether the caller made it' }),
    can_change: z.boolean().meta({ description: 'Whether the caller may change the project and add files to it' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Project', description: 'A folder, instructions and chats in one place' })

export const CreateProject = z
  .strictObject({
    name: Name,
    instructions: Instructions.default(''),
    agent_id: AgentId.default(null),
    knowledge_base_id: z.string().nullable().default(null).meta({
      description: 'A folder that is there already, which keeps its rights; null: a new one is made, with the name',
    }),
    is_private: z.boolean().default(true).meta({
      description:
        'Whether the new folder is closed to other members of the workspace, but admins, until it is shared. Keys of programs make it as any folder',
    }),
  })
  .meta({ id: 'CreateProject' })
export type CreateProject = z.infer<typeof CreateProject>

export const UpdateProject = z
  .strictObject({ name: Name, instructions: Instructions, agent_id: AgentId })
  .partial()
  .meta({ id: 'UpdateProject', description: 'Fields that are left out stay as they are' })
export type UpdateProject = z.infer<typeof UpdateProject>

export const ProjectPath = z.object({ project_id: z.string() })

export const ProjectReply = z.object({ data: Project })
export const ProjectList = listOf('projects', Project)

export const ProjectListQuery = z.object({
  ...PageQuery,
  search: TextQuery().optional().meta({ description: 'Case-insensitive substring of the name' }),
})
export type ProjectListQuery = z.infer<typeof ProjectListQuery>

export const DeleteProjectQuery = z.object({
  delete_chats: BooleanQuery(false).meta({
    description: "Deletes the caller's own chats in it; otherwise they leave it, as those of others always do",
  }),
  delete_folder: BooleanQuery(false).meta({ description: 'Deletes its folder with all files; otherwise it stays' }),
})
export type DeleteProjectQuery = z.infer<typeof DeleteProjectQuery>
