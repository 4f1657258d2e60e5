import { z } from 'zod'
import { patternFields } from '../common-config.ts'
import type { SourceKind } from '../source.ts'
import { allowDirectory, type DirectoryLimits } from './allowed-directory.ts'
import { createDirectorySource } from './directory-source.ts'

const DirectoryConfig = z.strictObject({
  path: z.string().min(1).max(4096),
  ...patternFields,
  interval_seconds: z.number().int().min(1).max(2_592_000).default(300),
})

/** Folders of the server's own disk, or of what is mounted there. */
export const directoryKind = (limits: DirectoryLimits): SourceKind<z.infer<typeof DirectoryConfig>> => ({
  kind: 'directory',
  sourceType: 'directory_file',
  config: DirectoryConfig,
  secrets: [],
  destination: [],
  open: async (config) => createDirectorySource(await allowDirectory(config.path, limits), config),
})
