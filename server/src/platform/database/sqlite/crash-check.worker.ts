import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

const PATIENCE_MS = 10_000

function faultsOf(path: string): string[] {
  try {
    const database = new DatabaseSync(path, { readOnly: true, timeout: PATIENCE_MS })
    const rows = database.prepare('pragma quick_check(20)').all() as { quick_check: string }[]
    database.close()
    return rows.map((row) => row.quick_check).filter((line) => line !== 'ok')
  } catch (error) {
    return [(error as Error).message]
  }
}

parentPort!.postMessage(faultsOf(workerData as string))
