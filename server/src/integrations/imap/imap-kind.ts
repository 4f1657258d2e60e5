import { z } from 'zod'
import type { OutboundGuard } from '../../platform/outbound/outbound-guard.ts'
import { remoteFields } from '../common-config.ts'
import type { SourceKind } from '../source.ts'

const Text = z.string().trim().min(1).max(1024)

const ImapConfig = z.strictObject({
  host: z
    .string()
    .trim()
    .max(253)
    .regex(/^[A-Za-z0-9_.:-]+$/, 'must be the name of a mail server, without a port'),
  port: z.number().int().min(1).max(65_535).optional(),
  security: z.enum(['tls', 'starttls', 'none']).default('tls'),
  username: Text,
  password: Text,
  mailboxes: z.array(Text).max(200).default([]),
  since: z.iso.date('must be a date such as 2026-01-31').optional(),
  ...remoteFields({ intervalSeconds: 900, requestsPerSecond: 20 }),
})

export type ImapSourceConfig = z.infer<typeof ImapConfig>

/** Folders of a mail server. */
export const imapKind = (guard: OutboundGuard): SourceKind<ImapSourceConfig> => ({
  kind: 'imap',
  sourceType: 'imap_message',
  config: ImapConfig,
  secrets: ['password'],
  destination: ['host', 'port', 'security', 'username'],
  async open(config, context) {
    const { openMailboxes } = await import('./imap-source.ts')
    return openMailboxes(guard, config, context)
  },
})
