import { constants } from 'node:fs'
import { access, mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { SettingsError } from './config/read-env.ts'
import { adminCommand } from './platform/host/commands.ts'
import { claimEmptyFolder, isOpenToOthers, keepNewFilesPrivate } from './platform/host/private-files.ts'
import type { Logger } from './platform/telemetry/logger.ts'

/** Makes DATA_DIR ready for this process: it is there, and other users are kept out where this can be done. */
export async function prepareDataDir(dataDir: string, logger: Logger): Promise<void> {
  keepNewFilesPrivate()
  await makeDataDir(dataDir)
  await claimEmptyFolder(dataDir)
  if (await isOpenToOthers(dataDir))
    logger.warn(
      { dataDir },
      `other users of this machine may enter DATA_DIR: ${adminCommand('doctor --fix')} closes it`,
    )
}

/** Makes the folder and those above it, for this user alone. @throws SettingsError if nothing can be written there. */
export async function makeDataDir(dataDir: string): Promise<void> {
  try {
    await makeFolders(dataDir)
    await access(dataDir, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new SettingsError([
      `DATA_DIR: no files can be kept in ${dataDir} (${(error as Error).message}). Set it to a folder that this user may write to`,
    ])
  }
}

/** Makes one level after the other: `recursive` of Node never returns where a parent refuses with ENOENT, as /proc does. */
async function makeFolders(path: string): Promise<void> {
  const found = await stat(path).catch(unlessGone)
  if (found?.isDirectory()) return
  if (!found) await makeFolders(dirname(path))
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    // Another process may start on the same folder.
    if (found || error.code !== 'EEXIST') throw error
  })
}

function unlessGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
