import { databaseFaults } from '../../platform/database/integrity.ts'
import type { AdminContext } from '../context.ts'
import { examineBlobs } from './blobs.ts'
import { examineIndexes } from './indexes.ts'
import { examineMessages } from './messages.ts'
import { examineModes } from './open-files.ts'

/** Counts, each with what to do about it. Healthy is only what has 0 everywhere. */
const ADVICE = {
  database_faults:
    'The database is damaged. Stop the server, keep a copy of its files, and restore a backup (docs/backup.md); on PostgreSQL let its operator look first.',
  orphan_blobs: 'Files are stored that nothing refers to: doctor --fix removes them.',
  rows_without_blob:
    'The bytes of files are lost: restore them from a backup, or delete these files and upload them again.',
  damaged_blobs: 'The bytes of files have changed in the storage: restore them from a backup, or upload them again.',
  lost_parses: 'What was read of files is lost or damaged: doctor --fix has them read again.',
  damaged_indexes: 'The search index is damaged: the server makes it again by itself, doctor --fix at once.',
  orphan_documents: 'The search index holds files that are gone: doctor --fix removes them from it.',
  files_not_in_index: 'The search index lacks files: doctor --fix has them indexed again.',
  stuck_messages: 'Messages are in progress that nobody answers: doctor --fix has them answered.',
  open_files: 'Other users of the machine may use files of DATA_DIR: doctor --fix closes them.',
  failed_checks: 'Something could not be examined: see `problems`, and run the doctor again.',
} as const

type Count = keyof typeof ADVICE

export type Diagnosis = Record<Count, number> & {
  healthy: boolean
  fixed: boolean
  /** Advice for each count that is not 0. */
  advice: string[]
  /** Findings, in the words of those who found them. */
  problems: string[]
}

export interface ExamineOptions {
  /** Whether to mend what can be. Default false. */
  fix?: boolean
  /** Counts what belongs to organizations for this one alone; what is of the whole installation is always counted. */
  organizationId?: string
}

/**
 * Reads everything that the installation keeps and looks for damage, and for what belongs to nothing. It reads all
 * bytes of all files, so it takes its time; it runs beside servers, in a process of its own.
 */
export async function examine(
  context: AdminContext,
  { fix = false, organizationId }: ExamineOptions = {},
): Promise<Diagnosis> {
  const counts = Object.fromEntries(Object.keys(ADVICE).map((name) => [name, 0])) as Record<Count, number>
  const problems: string[] = []
  const checks: (() => Promise<Partial<Record<Count, number>>>)[] = [
    async () => {
      const faults = await databaseFaults(context.db)
      problems.push(...faults)
      return { database_faults: faults.length }
    },
    () => examineBlobs(context, { fix, organizationId }),
    () => examineIndexes(context, { fix, organizationId, problems }),
    () => examineMessages(context, { fix, organizationId }),
    () => examineModes(context.config.dataDir, fix),
  ]
  for (const check of checks) {
    try {
      Object.assign(counts, await check())
    } catch (error) {
      // One check that fails, on a damaged page for one, hides nothing of what the others find.
      counts.failed_checks++
      problems.push(error instanceof Error ? error.message : String(error))
    }
  }
  const found = (Object.keys(ADVICE) as Count[]).filter((name) => counts[name] > 0)
  return { healthy: found.length === 0, fixed: fix, ...counts, advice: found.map((name) => ADVICE[name]), problems }
}
