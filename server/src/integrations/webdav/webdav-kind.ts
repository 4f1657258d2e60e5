import { z } from 'zod'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { bothOrNeither, remoteFields } from '../common-config.ts'
import type { SourceKind } from '../source.ts'

const Text = z.string().trim().min(1).max(1024)

const WebDavConfig = z
  .strictObject({
    url: z
      .string()
      .trim()
      .max(2048)
      .refine((url) => /^https?:\/\/[^?#]+$/i.test(url), 'must be an address that begins with https:// or http://'),
    username: Text.optional(),
    password: Text.optional(),
    ...remoteFields({ intervalSeconds: 900, requestsPerSecond: 10 }),
  })
  .superRefine(bothOrNeither('username', 'password'))

export type WebDavSourceConfig = z.infer<typeof WebDavConfig>

/** Folders of a WebDAV server, such as Nextcloud. */
export const webDavKind = (outbound: Outbound): SourceKind<WebDavSourceConfig> => ({
  kind: 'webdav',
  sourceType: 'webdav_file',
  config: WebDavConfig,
  secrets: ['password'],
  destination: ['url', 'username'],
  async open(config, { signal }) {
    const { createWebDavSource } = await import('./webdav-source.ts')
    const source = createWebDavSource(outbound, config)
    await source.check(signal)
    return source
  },
})
