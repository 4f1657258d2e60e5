import { hash } from 'node:crypto'
import type { SnapshotRow } from '../../platform/database/snapshot.ts'

/** Checksum of rows, whatever their order: the sum of their hashes. */
export interface RowSum {
  add(row: SnapshotRow): void
  /** Number of rows and 64 hex characters. */
  total(): SummedRows
}

export interface SummedRows {
  rows: number
  checksum: string
}

const MODULUS = 2n ** 256n

export function createRowSum(): RowSum {
  let rows = 0
  let sum = 0n
  return {
    add(row) {
      rows++
      sum = (sum + BigInt(`0x${hash('sha256', JSON.stringify(row.map(portable)))}`)) % MODULUS
    },
    total: () => ({ rows, checksum: sum.toString(16).padStart(64, '0') }),
  }
}

export async function sumRows(batches: AsyncIterable<SnapshotRow[]>): Promise<SummedRows> {
  const sum = createRowSum()
  for await (const batch of batches) for (const row of batch) sum.add(row)
  return sum.total()
}

/** PostgreSQL cannot hold the character 0 and gets another in its place. */
const portable = (value: unknown): unknown => (typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value)
