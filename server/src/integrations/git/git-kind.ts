import { z } from 'zod'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { remoteFields } from '../common-config.ts'
import type { SourceKind } from '../source.ts'

const Text = z.string().trim().min(1).max(1024)

const GitConfig = z
  .strictObject({
    url: z
      .string()
      .trim()
      .max(2048)
      .refine(
        (url) => /^https?:\/\/[^?#]+$/i.test(url) && URL.canParse(url),
        'must be an address that begins with https://',
      ),
    branch: z
      .string()
      .trim()
      .max(255)
      .regex(/^(?![-./])(?!.*(?:\.\.|\/\/|@\{))[^\s~^:?*[\\\x00-\x20\x7f]+(?<![./])$/, 'must be the name of a branch')
      .optional(),
    path: z.string().trim().max(1024).default(''),
    username: Text.optional(),
    token: Text.optional(),
    ...remoteFields({ intervalSeconds: 900, requestsPerSecond: 10 }),
  })
  .refine((config) => !config.username || config.token, { path: ['token'], message: 'must be given with username' })

export type GitSourceConfig = z.infer<typeof GitConfig>

/** Files of one branch of a git repository, over HTTPS. */
export const gitKind = (options: { outbound: Outbound; dataDir: string }): SourceKind<GitSourceConfig> => ({
  kind: 'git',
  sourceType: 'git_file',
  config: GitConfig,
  secrets: ['token'],
  destination: ['url', 'username'],
  async open(config, context) {
    const { openRepository } = await import('./git-source.ts')
    return openRepository({ ...options, config, ...context })
  },
})
