import { z } from 'zod'
import { AppClient, AppScope } from '../consent/consent.schemas.ts'

const UserCode = z
  .string()
  .trim()
  .min(1)
  .max(40)
  .meta({ description: 'Code that a program without a browser shows; case and hyphens do not matter' })

export const CheckDevice = z.strictObject({ user_code: UserCode }).meta({ id: 'CheckDevice' })

export const DeviceReply = z.object({
  data: z
    .object({ client: AppClient, scopes: z.array(AppScope) })
    .meta({ id: 'DeviceRequest', description: 'Request of a program without a browser to act for a person' }),
})

export const DecideDevice = z
  .strictObject({ user_code: UserCode, decision: z.enum(['allow', 'refuse']) })
  .meta({ id: 'DecideDevice' })

export const DeviceDecisionReply = z.object({
  data: z.object({ decision: z.enum(['allow', 'refuse']) }).meta({ id: 'DeviceDecision' }),
})
