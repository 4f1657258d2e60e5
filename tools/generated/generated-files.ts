import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { settingsMarkdown } from '../../server/src/config/describe-settings.ts'
import { describeApi } from '../api/describe-api.ts'
import { completeLockFile } from '../packages/lock-file.ts'
import { accessDocs } from './access-docs.ts'
import { errorDocs } from './error-docs.ts'
import { pythonClient } from './python-client.ts'
import { sdkDocs } from './sdk-docs.ts'
import { sdkTypes } from './sdk-types.ts'

const root = join(import.meta.dirname, '../..')

export interface GeneratedFile {
  /** Path in the repository. */
  path: string
  text: string
}

/** Every file that is made from others, as it should be. */
export async function generatedFiles(): Promise<GeneratedFile[]> {
  const { routes, whole } = await describeApi()
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  completeLockFile(lock)
  const python = pythonClient({ ...routes })
  return [
    { path: 'openapi.json', text: json(whole) },
    { path: 'sdk/src/types.ts', text: sdkTypes({ ...routes }) },
    { path: 'sdk-python/docent/_types.py', text: python.types },
    { path: 'sdk-python/docent/client.py', text: python.client },
    { path: 'docs/sdk.md', text: sdkDocs() },
    { path: 'docs/settings.md', text: settingsMarkdown() },
    { path: 'docs/errors.md', text: errorDocs() },
    {
      path: 'docs/permissions.md',
      text: accessDocs(readFileSync(join(root, 'docs/permissions.md'), 'utf8'), { ...routes }),
    },
    { path: 'package-lock.json', text: json(lock) },
  ]
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
