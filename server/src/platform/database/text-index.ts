import { type Kysely, PostgresAdapter, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { AnyDb } from './statements/across-organizations.ts'

/** Characters of a gram: what a text contains is found by the grams of it, in the middle of words and in every script. */
const GRAM = 3

/**
 * Index of texts beside a table with a key `number`: on SQLite a table of FTS5 named TABLE_grams, from which a trigger
 * takes what goes with its row, on PostgreSQL a column `grams` under a GIN index. Neither keeps the texts, or the order
 * of what is in them.
 */
const gramsOf = (table: string) => sql.table(`${table}_grams`)

// biome-ignore lint/suspicious/noExplicitAny: on any schema
const isPostgres = (db: Kysely<any>): boolean => db.getExecutor().adapter instanceof PostgresAdapter

/** Adds a row, but none that is there already, with the index of its text. @param group is what every search of it names */
export async function insertIndexed(
  tx: AnyDb,
  table: string,
  row: object,
  { text, group }: { text: string; group: string },
): Promise<void> {
  const insert = tx.insertInto(table).onConflict((conflict) => conflict.doNothing())
  if (isPostgres(tx)) {
    await insert.values({ ...row, grams: [gramOf(group), ...gramsIn(text).map(gramOf)] }).execute()
    return
  }
  const inserted = await insert.values(row).returning('number').executeTakeFirst()
  if (!inserted) return
  // Its tokenizer would end at the first NUL.
  const whole = text.toLowerCase().replaceAll('\0', ' ')
  await sql`insert into ${gramsOf(table)} (rowid, text) values (${inserted.number}, ${whole})`.execute(tx)
}

export interface SoughtText {
  /** Parts of the text, all of which it must hold, each in one of its forms. */
  words: readonly (readonly string[])[]
  group: string
  /** Numbers of the rows that are looked at, on SQLite. */
  between: readonly [after: number, last: number]
}

/** Whether a search for the words can use the index: it knows nothing of words of fewer characters than a gram has. */
export const isIndexable = (words: SoughtText['words']): boolean => words.some(hasGrams)

const hasGrams = (forms: readonly string[]): boolean => forms.every((form) => [...form].length >= GRAM)

/**
 * Condition on rows whose texts may hold all words: they hold the grams of them, in whatever order. The caller looks at
 * the texts themselves.
 */
export function mayHold(db: AnyDb, table: string, { words, group, between }: SoughtText): RawBuilder<SqlBool> {
  const known = words.filter(hasGrams)
  if (isPostgres(db)) {
    const each = known.map((forms) => {
      const ways = forms.map((form) => sql`grams @> ${[gramOf(group), ...gramsIn(form).map(gramOf)]}::integer[]`)
      return sql`(${sql.join(ways, sql` or `)})`
    })
    return sql<SqlBool>`${sql.join(each, sql` and `)}`
  }
  const quoted = (form: string) =>
    `(${gramsIn(form.replaceAll('\0', ' '))
      .map((gram) => `"${gram.replaceAll('"', '""')}"`)
      .join(' AND ')})`
  const match = known.map((forms) => `(${forms.map(quoted).join(' OR ')})`).join(' AND ')
  const [after, last] = between
  return sql<SqlBool>`number in (select rowid from ${gramsOf(table)}
    where ${sql.id(`${table}_grams`)} match ${match} and rowid > ${after} and rowid <= ${last})`
}

/** Distinct grams, in lower case. */
function gramsIn(text: string): string[] {
  const characters = [...text.toLowerCase()]
  const grams = new Set<string>()
  for (let at = GRAM; at <= characters.length; at++) grams.add(characters.slice(at - GRAM, at).join(''))
  return [...grams]
}

/** 32 bits for a gram: two that share them cost a look at a text, no more. */
function gramOf(gram: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < gram.length; at++) hash = Math.imul(hash ^ gram.charCodeAt(at), 0x01000193)
  return hash | 0
}
