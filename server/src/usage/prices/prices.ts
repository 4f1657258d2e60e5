import { readFileSync, statSync } from 'node:fs'
import type { Logger } from '../../platform/telemetry/logger.ts'
import { createPriceTable, parsePrices } from './price-table.ts'

const LOOK_AGAIN_MS = 1_000

export type PriceTable = ReturnType<typeof createPriceTable>

export interface PricesOptions {
  /** JSON. */
  path: string
  /** Whether somebody named the file, so that it ought to be there. */
  isNamed?: boolean
  logger: Logger
  /** Milliseconds of a clock that only moves forward. */
  now?: () => number
}

/**
 * The prices of the operator's file, which is read again within a second after it changed. A file that makes no sense
 * is logged once, and the prices before it stay.
 * @returns the table as it is now; to ask costs nothing, but for a look at the file once a second.
 */
export function createPrices({
  path,
  isNamed = false,
  logger,
  now = () => performance.now(),
}: PricesOptions): () => PriceTable {
  let table = createPriceTable([])
  let version: string | undefined
  let lookedAt = Number.NEGATIVE_INFINITY

  function look(): void {
    const found = statSync(path, { throwIfNoEntry: false })
    const current = found ? `${found.mtimeMs} ${found.size} ${found.ino}` : ''
    if (current === version) return
    version = current
    if (!found && isNamed) throw new Error('there is no such file')
    table = createPriceTable(found ? parsePrices(readFileSync(path, 'utf8')) : [])
    if (found) logger.info({ path, prices: table.prices.length }, 'the prices of models were read')
  }

  function current(): PriceTable {
    const at = now()
    if (at - lookedAt < LOOK_AGAIN_MS) return table
    lookedAt = at
    try {
      look()
    } catch (error) {
      logger.error({ path, problem: (error as Error).message }, 'the prices of models could not be read: mend the file')
    }
    return table
  }

  // Read at the start, so that mistakes in the file are logged before the first message.
  current()
  return current
}
