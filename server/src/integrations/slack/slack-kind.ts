import { z } from 'zod'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { accessFields, addressField, hasOneToken, ONE_TOKEN, remoteFields, tokenFields } from '../common-config.ts'
import type { SourceKind } from '../source.ts'

const SlackConfig = z
  .strictObject({
    channels: z
      .array(
        z
          .string()
          .trim()
          .transform((name) => name.replace(/^#/, ''))
          .refine((name) => /^[^\s#,]{1,80}$/.test(name), 'must be the name or the id of a channel'),
      )
      .max(500)
      .default([]),
    messages_only: z.boolean().default(false),
    reread_days: z.number().int().min(1).max(365).default(30),
    ...tokenFields,
    endpoint: addressField().default('https://slack.com/api'),
    ...accessFields,
    ...remoteFields({ intervalSeconds: 900, requestsPerSecond: 0.8 }),
  })
  .refine(hasOneToken, ONE_TOKEN)

export type SlackConfig = z.infer<typeof SlackConfig>

/** Channels of a Slack workspace that an app there is a member of. */
export const slackKind = (outbound: Outbound): SourceKind<SlackConfig> => ({
  kind: 'slack',
  provider: 'slack',
  sourceType: 'slack_messages',
  config: SlackConfig,
  secrets: ['token', 'connection'],
  destination: ['endpoint'],
  async open(config, context) {
    const { openSlack } = await import('./slack-source.ts')
    return openSlack(outbound, config, context)
  },
})
