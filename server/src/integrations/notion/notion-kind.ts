import { z } from 'zod'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { addressField, remoteFields } from '../common-config.ts'
import type { SourceKind } from '../source.ts'

const NotionConfig = z
  .strictObject({
    connection: z.string().max(100).optional(),
    token: z.string().trim().min(1).max(1000).optional(),
    endpoint: addressField().default('https://api.notion.com/v1'),
    ...remoteFields({ intervalSeconds: 900, requestsPerSecond: 3 }),
  })
  .refine(({ connection, token }) => (connection === undefined) !== (token === undefined), {
    path: ['token'],
    message: 'must be given, or else connection: one of them',
  })

export type NotionConfig = z.infer<typeof NotionConfig>

/** Pages and databases of Notion that are shared with an integration there. */
export const notionKind = (outbound: Outbound): SourceKind<NotionConfig> => ({
  kind: 'notion',
  provider: 'notion',
  sourceType: 'notion_page',
  config: NotionConfig,
  secrets: ['token', 'connection'],
  destination: ['endpoint'],
  async open(config, context) {
    const { openNotion } = await import('./notion-source.ts')
    return openNotion(outbound, config, context)
  },
})
