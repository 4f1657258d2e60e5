import type { Table as Rows } from 'apache-arrow'
import type { Passage } from '../../engine.ts'
import { SearchInputError } from '../../errors.ts'
import { isCommitConflict } from '../lance-failures.ts'
import type { Arrow, OpenTable } from '../lance-library.ts'
import { passagesToTable } from './lance-columns.ts'
import { checkIdentifier, idIn, ordinalsFrom } from './lance-filters.ts'
import { WriteQueue } from './write-queue.ts'

export type Write =
  | { kind: 'add'; passages: Passage[]; areNew: boolean }
  | { kind: 'remove'; documentIds: string[] }
  | { kind: 'trim'; documentId: string; fromOrdinal: number }
  | { kind: 'move'; documentId: string; groupId: string }

const ROWS_PER_COMMIT = 1_000
/** Number of attempts: with several processes writing, one may lose a few times in a row. */
const CONFLICT_ATTEMPTS = 10

export type Writes = ReturnType<typeof createWrites>

/**
 * Writes to one table, in order, many in a commit.
 * @param onCommit called for each write after its commit, before its caller continues
 */
export function createWrites(
  arrow: Arrow,
  open: OpenTable,
  dimension: number | undefined,
  onCommit: (write: Write) => void,
) {
  const queue = new WriteQueue<Write>({
    commit: (writes) => retryingConflicts(() => commit(writes)),
    sizeOf: (write) => (write.kind === 'add' ? write.passages.length : 1),
    maxSize: ROWS_PER_COMMIT,
  })

  /** @throws SearchInputError before anything is written */
  async function write(write: Write): Promise<void> {
    checkWrite(write, dimension)
    if (write.kind !== 'add') return queue.push(write)
    const commits: Promise<void>[] = []
    for (let start = 0; start < write.passages.length; start += ROWS_PER_COMMIT) {
      const passages = write.passages.slice(start, start + ROWS_PER_COMMIT).map(composed)
      commits.push(queue.push({ ...write, passages }))
    }
    await Promise.all(commits)
  }

  /** @param writes all of one kind, as the queue hands them over */
  async function commit(writes: Write[]): Promise<void> {
    const additions = writes.filter((write) => write.kind === 'add')
    const added = additions.filter(({ areNew }) => areNew).flatMap(({ passages }) => passages)
    const merged = additions.filter(({ areNew }) => !areNew).flatMap(({ passages }) => passages)
    const removals = writes.filter((write) => write.kind === 'remove').flatMap(({ documentIds }) => documentIds)
    const trims = writes.filter((write) => write.kind === 'trim')
    const moves = writes.filter((write) => write.kind === 'move')
    if (added.length > 0) await open.table.add(toRows(added))
    if (merged.length > 0) {
      const rows = toRows(merged)
      await open.table.mergeInsert('id').whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(rows)
    }
    if (removals.length > 0) await open.table.delete(idIn('document_id', removals))
    if (trims.length > 0) await trim(trims.map(ordinalsFrom).join(' OR '))
    for (const { documentId, groupId } of moves) {
      await open.table.update({ where: idIn('document_id', [documentId]), values: { group_id: groupId } })
    }
    for (const write of writes) onCommit(write)
  }

  async function trim(filter: string): Promise<void> {
    // Mostly there is nothing to trim, and a look is cheaper than a commit.
    if ((await open.table.countRows(filter)) > 0) await open.table.delete(filter)
  }

  function toRows(passages: Passage[]): Rows {
    // Rows that come twice in one commit would both be kept.
    const latest = [...new Map(passages.map((passage) => [passage.id, passage])).values()]
    return passagesToTable(arrow, latest, dimension)
  }

  return {
    write,
    exclusively: <T>(run: () => Promise<T>) => queue.exclusively(run),
    idle: () => queue.idle(),
    isIdle: () => queue.isIdle(),
  }
}

/** Decomposed letters would be split at their marks. */
function composed(passage: Passage): Passage {
  return { ...passage, heading: passage.heading.normalize('NFC'), text: passage.text.normalize('NFC') }
}

function checkWrite(write: Write, dimension: number | undefined): void {
  if (write.kind === 'remove') write.documentIds.forEach(checkIdentifier)
  if (write.kind === 'trim') ordinalsFrom(write)
  if (write.kind === 'move') [write.documentId, write.groupId].forEach(checkIdentifier)
  if (write.kind !== 'add') return
  for (const { id, documentId, groupId, vector } of write.passages) {
    ;[id, documentId, groupId].forEach(checkIdentifier)
    if (vector?.length !== dimension) {
      throw new SearchInputError(`a vector of length ${vector?.length} in a space with ${dimension}`)
    }
  }
}

async function retryingConflicts(run: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (attempt >= CONFLICT_ATTEMPTS || !isCommitConflict(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, attempt * attempt * 10 * (1 + Math.random())))
    }
  }
}
