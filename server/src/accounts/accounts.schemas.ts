import { z } from 'zod'
import { Name, ObjectId, Timestamp } from '../platform/http/validation/schemas.ts'

/** Trimmed and in lower case: identifies an account. */
export const Email = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(254, { message: 'must have at most 254 characters', abort: true })
  .regex(z.regexes.email, 'must be a valid e-mail')
  .toLowerCase()

/** A password as it is entered; whether it is strong enough is checked where one is set. */
export const Password = z.string().min(1, 'must not be empty').max(200, 'must have at most 200 characters')

/** Code of an authenticator app, or a recovery code. */
export const SecondFactorCode = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(40, 'must have at most 40 characters')
  .meta({ description: 'Six digits of the authenticator app, or a recovery code' })

export const PersonName = Name

export const Token = z.string().min(1, 'must not be empty').max(100, 'must have at most 100 characters')

export const RoleName = z.enum(['owner', 'admin', 'member'])

export const GroupName = z.object({ id: ObjectId, name: z.string() })

/** A link that was just made: it is shown this once. */
export const MadeLink = z
  .object({
    url: z.string().meta({ description: 'Shown this once; what is behind the # never reaches a server log' }),
    expires_at: Timestamp,
  })
  .meta({ id: 'MadeLink', description: 'A link that works once' })

export const WorkspacePath = z.object({ workspace_id: z.string() })
