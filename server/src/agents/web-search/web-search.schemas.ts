import { z } from 'zod'
import { Timestamp } from '../../platform/http/validation/schemas.ts'
import { BaseUrl, KeptApiKey, KeyHint } from '../provider-settings/provider-settings.schemas.ts'
import { WEB_SEARCH_KINDS } from './search-providers.ts'

const Kind = z.enum(WEB_SEARCH_KINDS).meta({ description: 'API that it speaks' })
const settings = {
  kind: Kind,
  base_url: BaseUrl.nullable().default(null).meta({ description: "null: the vendor's own address; searxng needs one" }),
  api_key: KeptApiKey,
}

export const PutWebSearch = z.strictObject(settings).meta({ id: 'PutWebSearch' })
export type PutWebSearch = z.infer<typeof PutWebSearch>

export const TestWebSearch = z
  .strictObject({
    ...settings,
    kind: Kind.optional(),
    query: z.string().trim().min(1).max(400).default('weather').meta({ description: 'Words to search for' }),
  })
  .default({ base_url: null, query: 'weather' })
  .meta({
    id: 'TestWebSearch',
    description: 'Settings to try before they are stored; without kind, the stored ones are tried',
  })
export type TestWebSearch = z.infer<typeof TestWebSearch>

const WebSearchSettings = z
  .object({
    kind: Kind,
    label: z.string().meta({ description: 'As people know it' }),
    base_url: z.string().nullable().meta({ description: "null: the vendor's own" }),
    has_key: z.boolean(),
    key_hint: KeyHint,
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'WebSearchSettings', description: 'A provider of web search, without its key' })
export type WebSearchSettings = z.infer<typeof WebSearchSettings>

export const WebSearchReply = z.object({
  data: z
    .object({ provider: WebSearchSettings.nullable().meta({ description: 'null: none was set up' }) })
    .meta({ id: 'WebSearch', description: 'Web search of the agents of a workspace' }),
})

export const TestedWebSearch = z.object({
  data: z
    .object({
      is_ok: z.boolean(),
      latency_ms: z.number().int().meta({ description: 'Milliseconds until it had answered' }),
      results: z
        .array(z.object({ title: z.string(), url: z.string(), snippet: z.string() }))
        .meta({ description: 'The first ones that it found' }),
      error_message: z.string().nullable().meta({ description: 'Why it cannot be used' }),
    })
    .meta({ id: 'TestedWebSearch', description: 'Whether a provider of web search answers with the key that it has' }),
})
export type TestedWebSearch = z.infer<typeof TestedWebSearch>['data']
