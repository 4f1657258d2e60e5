import { z } from 'zod'
import { Name, ObjectId, Timestamp } from '../../platform/http/validation/schemas.ts'
import { Password, SecondFactorCode } from '../accounts.schemas.ts'
import type { PasskeyRecord } from './passkeys.store.ts'

const base64Url = (max: number) =>
  z
    .string()
    .min(1, 'must not be empty')
    .max(max, `must have at most ${max} characters`)
    .regex(/^[\w-]+$/, 'must be base64url')

const CredentialId = base64Url(1_400)
const ClientData = base64Url(8_000)

/** Passkey that a browser has just made, with what the server needs of its RegistrationResponseJSON. */
export const MadePasskey = z
  .strictObject({
    id: CredentialId,
    client_data: ClientData.meta({ description: 'response.clientDataJSON of the browser, base64url' }),
    attestation_object: base64Url(32_000),
    transports: z.array(z.string().max(50, 'must have at most 50 characters')).max(20).default([]),
  })
  .meta({ id: 'MadePasskey', description: 'A passkey that a browser has made' })
export type MadePasskey = z.infer<typeof MadePasskey>

/** Answer of a passkey to a challenge, with what the server needs of its AuthenticationResponseJSON. */
export const PasskeyAnswer = z
  .strictObject({
    id: CredentialId,
    client_data: ClientData.meta({ description: 'response.clientDataJSON of the browser, base64url' }),
    authenticator_data: base64Url(8_000),
    signature: base64Url(16_000),
    user_handle: base64Url(200).nullable().default(null),
  })
  .meta({ id: 'PasskeyAnswer', description: 'Answer of a passkey to a challenge' })
export type PasskeyAnswer = z.infer<typeof PasskeyAnswer>

const optionsOf = (name: string) =>
  z.object({
    data: z.object({
      options: z
        .record(z.string(), z.unknown())
        .meta({ description: `${name} of WebAuthn, for this browser within five minutes` }),
    }),
  })

export const PasskeyRequest = optionsOf('PublicKeyCredentialRequestOptionsJSON')
export const PasskeyCreation = optionsOf('PublicKeyCredentialCreationOptionsJSON')

/** Proof that a change of passkeys is made by the person whose account it is. */
const proof = {
  password: Password.optional().meta({ description: 'Needed if the account has one' }),
  code: SecondFactorCode.optional(),
  passkey: PasskeyAnswer.optional(),
}
export const PasskeyProof = z
  .strictObject(proof)
  .meta({ id: 'PasskeyProof', description: 'The password and, if the account has a second factor, that one, too' })
export type PasskeyProof = z.infer<typeof PasskeyProof>

export const AddPasskey = z.strictObject({ name: Name, passkey: MadePasskey }).meta({ id: 'AddPasskey' })
export const RenamePasskey = z.strictObject({ name: Name }).meta({ id: 'RenamePasskey' })
export const PasskeyPath = z.object({ passkey_id: z.string() })

export const Passkey = z
  .object({ id: ObjectId, name: z.string(), created_at: Timestamp, last_used_at: Timestamp.nullable() })
  .meta({ id: 'Passkey', description: 'A passkey of an account' })
export const passkeyToWire = ({ id, name, createdAt, lastUsedAt }: PasskeyRecord): z.infer<typeof Passkey> => ({
  id,
  name,
  created_at: createdAt,
  last_used_at: lastUsedAt,
})
export const PasskeyReply = z.object({ data: Passkey })

export const BeginPasskeySignIn = z
  .strictObject({
    second_factor: z
      .boolean()
      .default(false)
      .meta({ description: 'After a right password, with a passkey of that account, instead of a passkey alone' }),
  })
  .meta({ id: 'BeginPasskeySignIn' })
export const PasskeySignIn = z.strictObject({ passkey: PasskeyAnswer }).meta({ id: 'PasskeySignIn' })
