import { z } from 'zod'
import { ObjectId, Timestamp } from '../../platform/http/validation/schemas.ts'
import { ProviderName } from './source-apps.schemas.ts'
import type { SourceConnectionRecord } from './source-connections.store.ts'

export const SourceConnection = z
  .object({
    provider: ProviderName,
    account: z.string().meta({ description: 'Account at the provider; empty where it does not say' }),
    connected_by: z.string().meta({ description: 'Name of the key, or of the member, that logged in' }),
    connected_at: Timestamp,
    is_lost: z.boolean().meta({ description: 'Whether somebody has to connect again' }),
  })
  .meta({ id: 'SourceConnection', description: 'Login with which an integration reads its source' })

export const BeginSourceLogin = z.strictObject({ provider: ProviderName }).meta({ id: 'BeginSourceLogin' })

export const BegunSourceLogin = z.object({
  data: z.object({
    authorization_url: z.string().meta({ description: 'Page of the provider to send the person to' }),
  }),
})

export const FinishSourceLogin = z
  .strictObject({
    state: z.string().min(1).max(200),
    code: z.string().min(1).max(4000).optional(),
    error: z.string().max(200).optional(),
    error_description: z.string().max(2000).optional(),
  })
  .refine(({ code, error }) => (code === undefined) !== (error === undefined), 'must hold code or error')
  .meta({ id: 'FinishSourceLogin', description: 'Query with which the provider sent the person back' })
export type FinishSourceLogin = z.infer<typeof FinishSourceLogin>

export const FinishedSourceLogin = z.object({
  data: z.object({
    id: ObjectId.meta({ description: 'For `connection` in the config of an integration; unused, it ends after a day' }),
    connection: SourceConnection,
  }),
})

export const toSourceConnection = (record: SourceConnectionRecord): z.input<typeof SourceConnection> => ({
  provider: record.provider as z.input<typeof ProviderName>,
  account: record.account,
  connected_by: record.connectedBy,
  connected_at: record.connectedAt,
  is_lost: record.lostAt !== null,
})
