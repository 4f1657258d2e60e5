import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Server } from '../http/servers.ts'

const MB = 1024 ** 2

/** Memory in MB, the rest are counts. `calls` and `delivered` are totals since the start. */
export interface Row {
  minute: number
  rss: number
  /** Part of `rss` that is no mapped file: heaps of V8 and of native code. */
  anonymous: number
  heapUsed: number
  heapTotal: number
  external: number
  buffers: number
  /** Memory of the processes below the server: those that read files. */
  children: number
  threads: number
  descriptors: number
  wal: number
  /** Files that the search index consists of. */
  fragments: number
  calls: number
  delivered: number
}

export const COLUMNS = [
  'minute',
  'rss',
  'anonymous',
  'heapUsed',
  'heapTotal',
  'external',
  'buffers',
  'children',
  'threads',
  'descriptors',
  'wal',
  'fragments',
  'calls',
  'delivered',
] as const satisfies (keyof Row)[]

/** Reads what a server takes right now, from Linux and from the server itself (`memory-probe.ts`). */
export async function measure(
  { child, pid }: Server,
  dataDir: string,
): Promise<Omit<Row, 'minute' | 'calls' | 'delivered'>> {
  const answer = once(child, 'message') as Promise<[NodeJS.MemoryUsage]>
  child.send('memory')
  const [memory] = await answer
  const status = statusOf(pid)
  return {
    rss: status.VmRSS! / 1024,
    anonymous: status.RssAnon! / 1024,
    heapUsed: memory.heapUsed / MB,
    heapTotal: memory.heapTotal / MB,
    external: memory.external / MB,
    buffers: memory.arrayBuffers / MB,
    children: childrenOf(pid).reduce((sum, each) => sum + (statusOf(each).VmRSS ?? 0) / 1024, 0),
    threads: status.Threads!,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    wal: statSync(join(dataDir, 'docent.sqlite-wal')).size / MB,
    fragments: readdirSync(join(dataDir, 'search'), { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    ).length,
  }
}

/** Growth of a figure per hour: the slope of the least-squares line. */
export function slopePerHour(rows: Row[], name: keyof Row): number {
  const mean = (of: (row: Row) => number) => rows.reduce((sum, row) => sum + of(row), 0) / rows.length
  const [minute, value] = [mean((row) => row.minute), mean((row) => row[name])]
  const along = rows.reduce((sum, row) => sum + (row.minute - minute) * (row[name] - value), 0)
  return (60 * along) / rows.reduce((sum, row) => sum + (row.minute - minute) ** 2, 0)
}

/** The numbers of /proc/PID/status; none for a process that has ended. */
function statusOf(pid: number): Record<string, number> {
  try {
    const lines = readFileSync(`/proc/${pid}/status`, 'utf8').matchAll(/^(\w+):\s+(\d+)/gm)
    return Object.fromEntries([...lines].map(([, name, value]) => [name, Number(value)]))
  } catch {
    return {}
  }
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && statusOf(Number(name)).PPid === pid)
    .map(Number)
}
