import { z } from 'zod'
import type { SourceKind } from '../source.ts'
import { allowDirectory, type DirectoryLimits } from './allowed-directory.ts'
import { createDirectorySource } from './directory-source.ts'

const Patterns = z.array(z.string().min(1).max(256)).max(50).default([])

const DirectoryConfig = z.strictObject({
  path: z.string().min(1).max(4096),
  include: Patterns,
  exclude: Patterns,
  interval_seconds: z.number().int().min(1).max(2_592_000).default(300),
})

/** Folders of the server's own disk, or of what is mounted there. */
export const directoryKind = (limits: DirectoryLimits): SourceKind<z.infer<typeof DirectoryConfig>> => ({
  kind: 'directory',
  sourceType: 'directory_file',
  config: DirectoryConfig,
  secrets: [],
  open: async (config) => createDirectorySource(await allowDirectory(config.path, limits), config),
})
