import { z } from 'zod'
import { Timestamp } from '../../platform/http/validation/schemas.ts'
import { Email, Password, PersonName, RoleName, SecondFactorCode, Token } from '../accounts.schemas.ts'
import { PasskeyAnswer } from '../passkeys/passkeys.schemas.ts'

export const PasswordSignIn = z.strictObject({ email: Email, password: Password }).meta({ id: 'PasswordSignIn' })
export const SecondFactor = z
  .strictObject({ code: SecondFactorCode.optional(), passkey: PasskeyAnswer.optional() })
  .refine(({ code, passkey }) => (code === undefined) !== (passkey === undefined), {
    path: ['code'],
    message: 'or passkey is needed, and not both',
  })
  .meta({ id: 'SecondFactor', description: 'A code, or what a passkey answers' })
export const LinkToken = z
  .strictObject({ token: Token })
  .meta({ id: 'LinkToken', description: 'Part of a link behind its #' })
export const AcceptInvitation = z
  .strictObject({ token: Token, email: Email, name: PersonName, password: Password })
  .meta({ id: 'AcceptInvitation' })
export const ForgottenPassword = z.strictObject({ email: Email }).meta({ id: 'ForgottenPassword' })
export const UsePasswordLink = z.strictObject({ token: Token, password: Password }).meta({ id: 'UsePasswordLink' })

export const SignInOptions = z.object({
  data: z
    .object({
      password_by_email: z
        .boolean()
        .meta({ description: 'Whether a link for a forgotten password is sent on request' }),
      passkeys: z.boolean().meta({ description: 'Whether passkeys work at the address of this server' }),
      providers: z
        .array(z.object({ id: z.string(), name: z.string() }))
        .meta({ description: 'OpenID Connect providers, for /session/providers/{provider_id}' }),
    })
    .meta({ id: 'SignInOptions', description: 'Ways to sign in' }),
})

export const InvitationView = z.object({
  data: z
    .object({
      organization: z.string(),
      workspace: z.string(),
      role: RoleName,
      email: z.string().nullable().meta({ description: 'The only e-mail that may use it; null for any' }),
      expires_at: Timestamp,
    })
    .meta({ id: 'InvitationView', description: 'Workspace and role of an invitation' }),
})
