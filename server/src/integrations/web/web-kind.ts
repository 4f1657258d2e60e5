import { z } from 'zod'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { remoteFields } from '../common-config.ts'
import type { SourceKind } from '../source.ts'

const Address = z
  .string()
  .trim()
  .max(2048)
  .refine((url) => /^https?:\/\//i.test(url) && URL.canParse(url), 'must be an address that begins with https://')

const WebConfig = z.strictObject({
  url: Address,
  discover: z.enum(['links', 'sitemap']).default('links'),
  sitemaps: z.array(Address).max(20).default([]),
  path_prefix: z.string().trim().max(1024).regex(/^\//, 'must begin with /').optional(),
  max_depth: z.number().int().min(0).max(50).default(10),
  max_pages: z.number().int().min(1).max(20_000).default(500),
  documents: z.boolean().default(false),
  ...remoteFields({ intervalSeconds: 86_400, requestsPerSecond: 2 }),
})

export type WebSourceConfig = z.infer<typeof WebConfig>

/** Pages of a web site, found by their links or by its sitemaps. */
export const webKind = ({
  outbound,
  workDir,
}: {
  outbound: Outbound
  workDir: string
}): SourceKind<WebSourceConfig> => ({
  kind: 'web',
  sourceType: 'web_page',
  config: WebConfig,
  secrets: [],
  destination: ['url'],
  async open(config, context) {
    const { openSite } = await import('./web-source.ts')
    return openSite({ outbound, workDir, config, ...context })
  },
})
