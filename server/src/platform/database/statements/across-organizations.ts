import type { Kysely, KyselyPlugin, RootOperationNode } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: of any schema
export type AnyDb = Kysely<any>

const marked = new WeakSet<object>()

const mark: KyselyPlugin = {
  transformQuery({ node }) {
    const copy = { ...node }
    marked.add(copy)
    return copy
  },
  transformResult: async ({ result }) => result,
}

/**
 * Gives the database for the few statements that look at rows of all organizations. On PostgreSQL every other statement
 * sees and writes the rows of the one organization that it names, and none if it names none; see `row-security.ts`.
 */
export const acrossOrganizations = <D extends AnyDb>(db: D): D => db.withPlugin(mark) as D

export const isAcrossOrganizations = (node: RootOperationNode): boolean => marked.has(node)
