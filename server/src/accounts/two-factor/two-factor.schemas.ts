import { z } from 'zod'
import { Password, SecondFactorCode } from '../accounts.schemas.ts'

export const BeginTwoFactor = z.strictObject({ password: Password }).meta({ id: 'BeginTwoFactor' })
export const ConfirmTwoFactor = z.strictObject({ code: SecondFactorCode }).meta({ id: 'ConfirmTwoFactor' })
export const ProveTwoFactor = z
  .strictObject({ password: Password, code: SecondFactorCode })
  .meta({ id: 'ProveTwoFactor' })

export const TwoFactorSecret = z.object({
  data: z
    .object({
      secret: z.string().meta({ description: 'Base32, to type into an app; shown this once' }),
      uri: z.string().meta({ description: 'otpauth address, for a QR code' }),
    })
    .meta({ id: 'TwoFactorSecret', description: 'Secret for an authenticator app' }),
})
export const RecoveryCodes = z.object({
  data: z
    .object({ recovery_codes: z.array(z.string()).meta({ description: 'Each works once; shown this once' }) })
    .meta({ id: 'RecoveryCodes' }),
})
