import { z } from 'zod'
import { ObjectId, Timestamp } from '../../platform/http/validation/schemas.ts'

export const AppScope = z.enum(['agents', 'documents', 'api']).meta({
  description: 'agents: ask agents; documents: read what is in folders; api: all that the person may do',
})

const Query = z
  .string()
  .min(1)
  .max(8_000)
  .meta({ description: 'Query of the address to which the app sent the browser' })

export const AppClient = z.object({
  id: z.string(),
  name: z.string().meta({ description: 'As the app calls itself; nobody has checked it' }),
  uri: z.string().nullable().meta({ description: 'Home page that the app names' }),
  is_own: z.boolean().meta({ description: 'Whether it is the command line of Docent itself' }),
})

export const CheckAppRequest = z.strictObject({ query: Query }).meta({ id: 'CheckAppRequest' })

export const AppRequestReply = z.object({
  data: z
    .object({
      client: AppClient,
      destination: z
        .object({ kind: z.enum(['site', 'this_device', 'program']), name: z.string() })
        .meta({ description: 'Destination of the browser afterwards: a host, the own machine, or a program on it' }),
      scopes: z.array(AppScope).meta({ description: 'Scopes that the app asks for' }),
    })
    .meta({ id: 'AppRequest', description: 'Request of an app to act for the person who is signed in' }),
})

export const DecideAppRequest = z
  .strictObject({
    query: Query,
    decision: z.enum(['allow', 'refuse']),
    scopes: z
      .array(AppScope)
      .min(1)
      .max(3)
      .optional()
      .meta({ description: 'Scopes to give, of those that the app asks for; left out: all of them' }),
    agent_ids: z
      .array(z.string())
      .min(1)
      .max(100)
      .nullable()
      .default(null)
      .meta({ description: 'Agents that the app may ask; null: all that the person may' }),
  })
  .meta({ id: 'DecideAppRequest' })

export const AppDecisionReply = z.object({
  data: z
    .object({ redirect_to: z.string().meta({ description: 'Address to send the browser to' }) })
    .meta({ id: 'AppDecision' }),
})

export const ConnectedApps = z.object({
  data: z.object({
    apps: z.array(
      z
        .object({
          id: ObjectId,
          name: z.string(),
          client_id: z.string(),
          scopes: z.array(AppScope),
          connected_at: Timestamp,
          last_used_at: Timestamp.nullable(),
          expires_at: Timestamp.meta({ description: 'When it ends unless it is used before' }),
        })
        .meta({ id: 'ConnectedApp', description: 'App that acts for a person in a workspace' }),
    ),
  }),
})

export const AppPath = z.object({ app_id: ObjectId })
