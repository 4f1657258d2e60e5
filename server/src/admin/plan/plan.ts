import type { Config } from '../../config.ts'
import { migrations } from '../../migrations/index.ts'
import { checkOrder, DatabaseTooNewError, type Migrations } from '../../platform/database/migrate.ts'
import { VERSION } from '../../version.ts'
import { readDatabase } from './read-database.ts'
import { type Rehearsed, rehearse } from './rehearse.ts'

export interface UpgradePlan {
  version: string
  database: 'embedded' | 'postgres'
  migrations: (Omit<Rehearsed, 'tables'> & { rows: Record<string, number>; afterwards?: string })[]
  /** Rows that are read or written, each once a migration. */
  rows: number
  /** Rough, and rather too long: disks differ. */
  estimated_seconds: number
  /** `go on`: servers of the version before may run, and start again, meanwhile and afterwards. */
  old_processes: 'go on' | 'stop first'
}

/** Slow disks of 2026: rows that a migration reads or writes, and bytes of the copy that is made before it. */
const ROWS_A_SECOND = 50_000
const BYTES_A_SECOND = 100e6

/**
 * Tells what a start of this version does to the database, and changes nothing.
 * @throws DatabaseTooNewError, DatabaseOrderError, Error when there is no installation
 */
export async function planUpgrade(
  { dataDir, database: { postgres } }: Pick<Config, 'dataDir' | 'database'>,
  known: Migrations = migrations,
): Promise<UpgradePlan> {
  const database = await readDatabase({ dataDir, postgres })
  try {
    const applied = await database.applied()
    if (!applied) throw new Error('The database was never used by Docent: a start makes all of its tables')
    const unknown = applied.find((name) => !(name in known))
    if (unknown) throw new DatabaseTooNewError(unknown)
    checkOrder(known, applied)
    const pending = Object.keys(known).filter((name) => !applied.includes(name))
    const planned: UpgradePlan['migrations'] = []
    for (const { tables, ...one } of pending.length > 0 ? await rehearse(known, pending) : []) {
      const rows: Record<string, number> = {}
      for (const table of tables) rows[table] = await database.rows(table)
      const { afterwards } = known[one.name]!
      planned.push({ ...one, rows, ...(afterwards === undefined ? {} : { afterwards }) })
    }
    const rows = planned.flatMap((one) => Object.values(one.rows)).reduce((sum, count) => sum + count, 0)
    const copied = pending.length > 0 ? database.copiedBytes : 0
    const last = applied.at(-1) ?? ''
    const isRolling = postgres !== undefined && pending.every((name) => (known[name]!.worksWith ?? '~') <= last)
    return {
      version: VERSION,
      database: postgres ? 'postgres' : 'embedded',
      migrations: planned,
      rows,
      estimated_seconds: Math.ceil(pending.length * 0.02 + rows / ROWS_A_SECOND + copied / BYTES_A_SECOND),
      old_processes: pending.length === 0 || isRolling ? 'go on' : 'stop first',
    }
  } finally {
    await database.close()
  }
}

/** The plan in lines for an operator. */
export function describePlan({ version, migrations, rows, estimated_seconds, old_processes }: UpgradePlan): string {
  if (migrations.length === 0) return `Docent ${version}: the database is up to date, a start changes nothing.`
  const lines = [`Docent ${version} would run ${migrations.length} migrations on this database:`, '']
  for (const one of migrations) {
    lines.push(`  ${one.name}: ${one.does}`)
    const counts = Object.entries(one.rows).map(([table, count]) => `${count} of ${table}`)
    if (counts.length > 0) lines.push(`      goes through rows: ${counts.join(', ')}`)
    if (one.afterwards) lines.push(`      after the start: ${one.afterwards}`)
  }
  lines.push('', `Rows to go through: ${rows}. About ${estimated_seconds} s.`)
  lines.push(
    old_processes === 'go on'
      ? 'Servers of the version before may go on meanwhile.'
      : 'Stop all servers of the version before first.',
  )
  return lines.join('\n')
}
