import { z } from 'zod'
import { ObjectId, Timestamp } from '../../platform/http/validation/schemas.ts'
import { AttributionEmail } from '../attribution.ts'

const AN_HOUR = 3_600
const A_DAY = 86_400
/** Limit on ids: more make the token too long a header for some proxies. */
const MOST_IDS = 20

export const CreateUserToken = z
  .strictObject({
    virtual_user_email: AttributionEmail.meta({ description: 'E-mail of the person who gets the token' }),
    agent_ids: z.array(z.string()).min(1).max(MOST_IDS).meta({ description: 'Agents that the person may ask' }),
    knowledge_base_ids: z
      .array(z.string())
      .max(MOST_IDS)
      .nullable()
      .default(null)
      .meta({ description: "Answers come from these of the agents' folders, and what is below; null: from all" }),
    read_cited_files: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether the person may open the files that their answers cite' }),
    expires_in: z.int().min(60).max(A_DAY).default(AN_HOUR).meta({ description: 'Seconds for which it works' }),
  })
  .meta({ id: 'CreateUserToken' })
export type CreateUserToken = z.infer<typeof CreateUserToken>

export const UserTokenReply = z.object({
  data: z
    .object({
      token: z.string().meta({ description: 'Sent like an API key: in x-api-key, or as Authorization: Bearer' }),
      expires_at: Timestamp,
      virtual_user_id: ObjectId,
    })
    .meta({ id: 'UserToken', description: "Opens one virtual user's own chats with certain agents, and nothing else" }),
})
