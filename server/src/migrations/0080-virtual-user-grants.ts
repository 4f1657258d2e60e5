import type { OnlineMigration } from '../platform/database/migrate.ts'

/**
 * Grants of virtual users are kept where those of members are, so no table changes. But processes that do not know them
 * would not obey them, nor say that a folder was moved, so they refuse to start beside this schema.
 */
export const virtualUserGrants: OnlineMigration = { async up() {} }
