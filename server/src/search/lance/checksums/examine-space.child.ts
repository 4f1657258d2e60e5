import { setPriority } from 'node:os'
import type { Table } from '@lancedb/lancedb'
import { isStoreAway, isTableAbsent, mayBeDamage } from '../lance-failures.ts'
import { connectLance, isFolder } from '../lance-library.ts'
import { TEXT_INDEX } from '../rows/lance-columns.ts'
import type { Examination, ExaminationReply } from './examine-space.ts'
import { compareChecksums } from './table-checksums.ts'

const PRIORITY = 10

function tell(reply: ExaminationReply): Promise<void> {
  return new Promise((resolve) => process.send!(reply, () => resolve()))
}

/** Reads all rows and all parts of all indexes. */
async function readAll(table: Table): Promise<void> {
  for (const { name } of await table.listIndices()) {
    await table.prewarmIndex(name)
    await tell('on')
  }
  if (!(await table.indexStats(TEXT_INDEX))) throw Object.assign(new Error('the index of words is gone'), LOST)
  for await (const _ of table.query()) await tell('on')
}

const LOST = { code: 'GenericFailure' }

async function examine({ storage, table: name }: Examination): Promise<ExaminationReply> {
  try {
    const damage = isFolder(storage) && (await compareChecksums(storage.uri, name, () => tell('on')))
    if (damage) return { state: 'damaged', reason: damage }
    const { connection } = await connectLance(storage, false)
    await readAll(await connection.openTable(name))
    return { state: 'sound' }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    if (isTableAbsent(error)) return { state: 'absent' }
    if (isStoreAway(error) || !mayBeDamage(error)) return { unknown: reason }
    return { state: 'damaged', reason: reason.split(', /')[0]!.slice(0, 300) }
  }
}

process.once('disconnect', () => process.exit())
process.once('message', (examination: Examination) => {
  // Beside a server that has people waiting.
  setPriority(PRIORITY)
  examine(examination)
    .then(tell)
    .then(
      () => process.exit(),
      (error) => {
        console.error(error)
        process.exit(1)
      },
    )
})
