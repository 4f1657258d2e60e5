import type { Migration } from 'kysely/migration'
import { firstSchema } from './0001-first-schema.ts'

/** In order of their names; a released migration is never changed. */
export const migrations: Record<string, Migration> = {
  '0001-first-schema': firstSchema,
}
