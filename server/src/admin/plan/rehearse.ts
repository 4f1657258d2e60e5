import { DatabaseSync } from 'node:sqlite'
import { Kysely, type LogEvent } from 'kysely'
import type { Migrations } from '../../platform/database/migrate.ts'
import { sqliteDialect } from '../../platform/database/sqlite/sqlite-dialect.ts'

/** A migration as it was seen to work. */
export interface Rehearsed {
  name: string
  /** One line on what it does, read from its statements. */
  does: string
  /** Tables from before it, whose rows it reads or writes. */
  tables: string[]
}

/** Runs all migrations on an empty database in memory, and notes what those that are pending do to it. */
export async function rehearse(migrations: Migrations, pending: readonly string[]): Promise<Rehearsed[]> {
  let statements: string[] = []
  const log = ({ level, query }: LogEvent) => {
    if (level === 'query') statements.push(query.sql.replaceAll(/\s+/g, ' ').trim())
  }
  const db = new Kysely<Record<string, never>>({ dialect: sqliteDialect(() => new DatabaseSync(':memory:')), log })
  const known = new Set<string>()
  try {
    const rehearsed: Rehearsed[] = []
    for (const [name, migration] of Object.entries(migrations)) {
      statements = []
      await migration.up(db)
      if (pending.includes(name))
        rehearsed.push({ name, does: describeStatements(statements), tables: touched(statements, known) })
      for (const { name: table } of await db.introspection.getTables()) known.add(table)
    }
    return rehearsed
  } finally {
    await db.destroy()
  }
}

const KINDS: [kind: string, pattern: RegExp][] = [
  ['creates the table', /^create table (?:if not exists )?"?(\w+)/i],
  ['creates the search index', /^create virtual table "?(\w+)/i],
  ['adds the trigger', /^create trigger "?(\w+)/i],
  ['drops the table', /^drop table (?:if exists )?"?(\w+)/i],
  ['adds', /^alter table "?\w+"? add column "?(\w+)/i],
  ['changes', /^alter table "?(\w+)/i],
  ['builds the index', /^create (?:unique )?index (?:if not exists )?"?(\w+)/i],
  ['drops the index', /^drop index (?:if exists )?"?(\w+)/i],
  ['fills', /^insert into "?(\w+)/i],
  ['updates rows of', /^update "?(\w+)/i],
  ['deletes rows of', /^delete from "?(\w+)/i],
]

/** `creates the tables project, topic; adds chat.project_id; builds the index chat_of_project` */
function describeStatements(statements: string[]): string {
  const byKind = new Map<string, Set<string>>()
  for (const statement of statements) {
    const [kind, pattern] = KINDS.find(([, known]) => known.test(statement)) ?? []
    if (!kind || !pattern) continue
    const name = pattern.exec(statement)![1]!
    const table = kind === 'adds' ? `${/^alter table "?(\w+)/i.exec(statement)![1]}.` : ''
    byKind.set(kind, (byKind.get(kind) ?? new Set()).add(table + name))
  }
  const described = [...byKind].map(
    ([kind, names]) => `${names.size > 1 ? toPlural(kind) : kind} ${[...names].join(', ')}`,
  )
  return described.join('; ') || 'changes nothing on the embedded database'
}

const toPlural = (kind: string): string => kind.replace(/(?:table|trigger)$/, '$&s').replace(/index$/, '$&es')

/** Statements that go through rows; added columns and new tables do not. */
const ROWS = /^(?:update|delete|insert|select|with|create (?:unique )?index)\b/i

function touched(statements: string[], known: ReadonlySet<string>): string[] {
  const named = statements
    .filter((statement) => ROWS.test(statement))
    .flatMap((statement) => statement.match(/\w+/g) ?? [])
  const renamed = statements.flatMap((statement) => /^drop table (?:if exists )?"?(\w+)/i.exec(statement)?.[1] ?? [])
  return [...new Set([...named, ...renamed])].filter((name) => known.has(name)).sort()
}
