import { existsSync } from 'node:fs'
import type { Config } from '../config.ts'
import type { Tables } from '../db.ts'
import { migrations } from '../migrations/index.ts'
import { databasePath, openBeside } from '../platform/database/open.ts'
import { acrossOrganizations } from '../platform/database/statements/across-organizations.ts'

/**
 * Checks that there is something to work on: an empty folder, named by mistake, would be found healthy, and backed up.
 * @throws Error in an operator's words, before anything is made in an empty folder
 */
export async function requireInstallation({ dataDir, database }: Pick<Config, 'dataDir' | 'database'>): Promise<void> {
  const { postgres } = database
  const missing = new Error(
    postgres
      ? 'There is no installation of Docent in the database of DATABASE_URL: set it to the one of the server, or start the server first'
      : `There is no installation of Docent in ${dataDir}: set DATA_DIR to the folder of the server, or start the server first`,
  )
  if (!postgres && !existsSync(databasePath(dataDir))) throw missing
  const { db, close } = await openBeside<Tables>({ dataDir, postgres }, migrations)
  try {
    const one = await acrossOrganizations(db).selectFrom('organization').select('id').limit(1).executeTakeFirst()
    if (!one) throw missing
  } finally {
    await close()
  }
}
