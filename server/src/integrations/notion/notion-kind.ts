import { z } from 'zod'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { addressField, hasOneToken, ONE_TOKEN, remoteFields, tokenFields } from '../common-config.ts'
import type { SourceKind } from '../source.ts'

const NotionConfig = z
  .strictObject({
    ...tokenFields,
    endpoint: addressField().default('https://api.notion.com/v1'),
    ...remoteFields({ intervalSeconds: 900, requestsPerSecond: 3 }),
  })
  .refine(hasOneToken, ONE_TOKEN)

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
