import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { undefinedIfGone } from '../gone.ts'
import { UNFINISHED } from './checksum-file.ts'
import { forgetChecksums, noteChecksums } from './table-checksums.ts'

/** Notes checksums of what is written to an index, in the background. */
export interface ChecksumKeeper {
  /** Tells it that files of a table were written, or that the table is gone. */
  changed(table: string): void
  /** Is awaited before a table is made: what was noted of an earlier one of that name does not hold for it. */
  begins(table: string): Promise<void>
  /** Notes what is still to be noted, and starts nothing more until the next change. */
  close(): Promise<void>
}

/** Commits of so long share one look at the folder. */
const NOTE_AFTER_MS = 5_000
/** Time left for what the process was started for. */
const LOOK_AFTER_MS = 2_000
const RETRY_FAILED_MS = 60_000
/** No file of checksums takes so long to write: the process that began it has ended. */
const UNFINISHED_MS = 3_600_000

/**
 * Keeps the checksums of all tables in a folder. Soon after it is made it looks at each: notes what other processes and
 * earlier versions wrote, and compares the sizes of what is noted, which an unclean end may have cut off.
 */
export function createChecksumKeeper({
  uri,
  onDamage,
  onError,
}: {
  uri: string
  /** @param reason what is damaged, in words */
  onDamage(table: string, reason: string): void
  onError(error: unknown): void
}): ChecksumKeeper {
  const due = new Set<string>()
  const oneByOne = pLimit(1)
  let timer: NodeJS.Timeout | undefined
  let isClosing = false
  const firstLook = setTimeout(() => {
    lookAtAll().catch(onError)
  }, LOOK_AFTER_MS).unref()

  function schedule(table: string, afterMs: number): void {
    due.add(table)
    timer ??= setTimeout(() => {
      noteDue().catch(onError)
    }, afterMs).unref()
  }

  async function noteDue(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const tables = [...due]
    due.clear()
    await Promise.all(tables.map((table) => note(table)))
  }

  async function note(table: string, options?: { compareSizes: boolean }): Promise<void> {
    try {
      const damage = await oneByOne(() => noteChecksums(uri, table, options))
      if (damage) onDamage(table, damage)
    } catch (error) {
      onError(new Error(`the checksums of ${table} could not be noted`, { cause: error }))
      if (!isClosing) schedule(table, RETRY_FAILED_MS)
    }
  }

  async function lookAtAll(): Promise<void> {
    for (const name of (await readdir(uri).catch(undefinedIfGone)) ?? []) {
      if (isClosing) return
      if (name.endsWith(UNFINISHED)) await removeIfOld(join(uri, name))
      else if (name.endsWith('.lance')) await note(name.slice(0, -'.lance'.length), { compareSizes: true })
    }
  }

  return {
    changed: (table) => schedule(table, NOTE_AFTER_MS),
    begins: (table) => oneByOne(() => forgetChecksums(uri, table)),
    close: async () => {
      isClosing = true
      clearTimeout(firstLook)
      await noteDue()
      isClosing = false
    },
  }
}

async function removeIfOld(path: string): Promise<void> {
  const found = await stat(path).catch(undefinedIfGone)
  if (found && Date.now() - found.mtimeMs > UNFINISHED_MS) await rm(path, { force: true })
}
