import { z } from 'zod'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { accessFields, remoteFields } from '../common-config.ts'
import type { SourceKind } from '../source.ts'
import { readServiceAccountKey } from './service-account.ts'

const Fields = z.strictObject({
  folder: z
    .string()
    .trim()
    .max(2048)
    .transform((text) => /^https:\/\/[^/]+\/.*folders\/([\w-]+)/.exec(text)?.[1] ?? text)
    .refine((id) => /^[\w-]{1,200}$/.test(id), 'must be the address or the id of a folder, or of a shared drive'),
  credentials: z
    .string()
    .trim()
    .max(16_384)
    .refine(
      (text) => readServiceAccountKey(text) !== undefined,
      "must be the JSON key of a service account, with client_email and private_key, as Google's console gives it",
    )
    .optional(),
  connection: z.string().max(100).optional(),
  impersonate: z.email().max(320).optional(),
  endpoint: z
    .string()
    .trim()
    .max(2048)
    .refine((url) => /^https?:\/\/[^?#]+$/i.test(url) && URL.canParse(url), 'must be an address')
    .default('https://www.googleapis.com/drive/v3'),
  ...accessFields,
  ...remoteFields({ intervalSeconds: 900, requestsPerSecond: 5 }),
})

const GoogleDriveConfig = Fields.superRefine(({ connection, credentials, impersonate }, context) => {
  const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
  if ((connection === undefined) === (credentials === undefined))
    refuse('connection', 'must be given, or else credentials: one of them')
  else if (connection !== undefined && impersonate !== undefined)
    refuse('impersonate', 'must not be given with a connection, which reads as who logged in')
})

export type GoogleDriveConfig = z.infer<typeof GoogleDriveConfig>

/** A folder of Google Drive, or a shared drive. */
export const googleDriveKind = (outbound: Outbound): SourceKind<GoogleDriveConfig> => ({
  kind: 'google_drive',
  sourceType: 'google_drive_file',
  config: GoogleDriveConfig,
  provider: 'google',
  secrets: ['credentials', 'connection'],
  destination: ['endpoint'],
  async open(config, context) {
    const { openGoogleDrive } = await import('./google-drive-source.ts')
    return openGoogleDrive(outbound, config, context)
  },
})
