/** Statements of Kysely and of its `sql` texts, with the table that each names. */
const BUILDER = /\b(?:selectFrom|updateTable|insertInto|deleteFrom|(?:inner|left|right|full)Join)\(\s*\[?'(\w+)/g
const SQL_TEXT = /\bsql(?:<[^>]*>)?`[^`]*`/g
const IN_SQL = /\b(?:from|join|update|into)\s+(\w+)/gi

/** The feature that each table belongs to, by `db.ts`: the folder that its type is imported from. */
export function tableOwners(dbText: string): Map<string, string> {
  const featureOf = new Map<string, string>()
  for (const [, names, feature] of dbText.matchAll(/import type \{([^}]*)\} from '\.\/([\w-]+)\//g))
    for (const name of names!.split(',')) featureOf.set(name.trim(), feature!)
  const owners = new Map<string, string>()
  for (const [, table, type] of dbText.matchAll(/^ {2}(\w+): (\w+)$/gm)) {
    const feature = featureOf.get(type!)
    if (feature) owners.set(table!, feature)
  }
  return owners
}

/** Tables that a file of a feature names in its statements and that belong to another one. */
export function foreignTables(feature: string, text: string, owners: ReadonlyMap<string, string>): string[] {
  const inBuilder = [...text.matchAll(BUILDER)].map(([, table]) => table!)
  const inSql = [...text.matchAll(SQL_TEXT)].flatMap(([sql]) => [...sql.matchAll(IN_SQL)].map(([, table]) => table!))
  return [...new Set([...inBuilder, ...inSql])].filter((table) => (owners.get(table) ?? feature) !== feature)
}
