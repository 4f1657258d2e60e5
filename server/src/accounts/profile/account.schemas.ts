import { z } from 'zod'
import { ApiKey, CreateApiKey, PersonalKeyScopes } from '../../access/access.ts'
import { Language, ObjectId, PictureUrl, Timestamp } from '../../platform/http/validation/schemas.ts'
import { Password, PersonName, RoleName, Token } from '../accounts.schemas.ts'
import { Passkey } from '../passkeys/passkeys.schemas.ts'

const Named = z.object({ id: ObjectId, name: z.string() })

export const AccountReply = z.object({
  data: z
    .object({
      id: ObjectId,
      email: z.string(),
      name: z.string(),
      picture_url: PictureUrl,
      language: Language.nullable().meta({ description: 'Language of the web UI; null for that of the browser' }),
      has_password: z.boolean(),
      two_factor: z
        .object({ confirmed_at: Timestamp, recovery_codes_left: z.number().int() })
        .nullable()
        .meta({ description: 'Authenticator app that is asked for after the password; null if there is none' }),
      passkeys: z
        .array(Passkey)
        .meta({ description: 'They sign in alone, and after the password as second factor; the first made first' }),
      created_at: Timestamp,
      identities: z
        .array(
          z.object({
            id: ObjectId,
            provider: z.object({ id: z.string(), name: z.string() }),
            created_at: Timestamp,
            used_at: Timestamp,
          }),
        )
        .meta({ description: 'Providers by which this account signs in' }),
      memberships: z.array(
        z.object({
          member_id: ObjectId,
          organization: Named,
          workspace: Named,
          role: RoleName,
          is_current: z.boolean().meta({ description: 'Whether this session is in that workspace' }),
        }),
      ),
    })
    .meta({ id: 'Account', description: 'A person, and where they are a member' }),
})

export const UpdateAccount = z
  .strictObject({
    name: PersonName,
    language: Language.nullable().meta({ description: 'Language of the web UI; null for that of the browser' }),
  })
  .partial()
  .refine((changes) => Object.keys(changes).length > 0, 'needs a name or a language')
  .meta({ id: 'UpdateAccount' })

export const ChangePassword = z
  .strictObject({ password: Password.meta({ description: 'The one that there is' }), new_password: Password })
  .meta({ id: 'ChangePassword' })

export const DeleteAccount = z.strictObject({ password: Password }).meta({ id: 'DeleteAccount' })
export const ChooseWorkspace = z.strictObject({ workspace_id: z.string().max(100) }).meta({ id: 'ChooseWorkspace' })
export const JoinWorkspace = z.strictObject({ token: Token }).meta({ id: 'JoinWorkspace' })

export const AccountSessions = z.object({
  data: z.object({
    sessions: z.array(
      z
        .object({
          id: ObjectId,
          is_current: z.boolean(),
          address: z.string().nullable().meta({ description: 'IP address from which it was begun' }),
          user_agent: z.string().nullable().meta({ description: 'Browser that began it, as it calls itself' }),
          created_at: Timestamp,
          last_used_at: Timestamp.meta({ description: 'To the minute' }),
          expires_at: Timestamp,
        })
        .meta({ id: 'AccountSession', description: 'A browser that is signed in' }),
    ),
  }),
})
export const IdentityPath = z.object({ identity_id: z.string() })
export const SessionPath = z.object({ session_id: z.string() })

export const PersonalKeys = z.object({ data: z.object({ api_keys: z.array(ApiKey) }) })
export const CreatePersonalKey = z
  .strictObject({
    name: CreateApiKey.shape.name,
    scopes: PersonalKeyScopes.nullable().default(null),
    expires_at: CreateApiKey.shape.expires_at,
  })
  // As for other keys: an empty object may be a list that somebody failed to fill.
  .refine(({ scopes }) => scopes === null || Object.values(scopes).some((narrowed) => narrowed != null), {
    path: ['scopes'],
    message: 'must hold operations, agent_ids or knowledge_base_ids; null makes a key that is not narrowed',
  })
  .meta({ id: 'CreatePersonalKey' })
export const PersonalKeyPath = z.object({ key_id: z.string() })
