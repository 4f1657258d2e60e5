import { readdirSync, readFileSync } from 'node:fs'

/** Usage of a process and all below it. Not a number where the system is not Linux. */
export interface Usage {
  /** Processor time so far, that of children which have ended included. In steps of 10 ms. */
  cpuMs: number
  rssMb: number
}

/** Length of Linux's clock tick, on every architecture. */
const TICK_MS = 10

export function usageOf(pid: number): Usage {
  if (process.platform !== 'linux') return { cpuMs: Number.NaN, rssMb: Number.NaN }
  const parents = readParents()
  const tree = [pid]
  // The array grows while it is gone through.
  for (const member of tree) for (const [child, parent] of parents) if (parent === member) tree.push(child)
  const usages = tree.map(ownUsage)
  return {
    cpuMs: usages.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    rssMb: usages.reduce((sum, { rssMb }) => sum + rssMb, 0),
  }
}

function readParents(): Map<number, number> {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const fields = readStat(name)
    if (fields) parents.set(Number(name), Number(fields[1]))
  }
  return parents
}

function ownUsage(pid: number): Usage {
  const [, , , , , , , , , , , user, system, childUser, childSystem] = readStat(pid) ?? []
  const ticks = [user, system, childUser, childSystem].reduce((sum, value) => sum + Number(value ?? 0), 0)
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`) ?? '') ?? []
  return { cpuMs: ticks * TICK_MS, rssMb: Number(kilobytes ?? 0) / 1024 }
}

/** The fields after the name, which is in brackets and may hold anything: state, parent, ... */
function readStat(pid: number | string): string[] | undefined {
  const text = read(`/proc/${pid}/stat`)
  return text?.slice(text.lastIndexOf(')') + 2).split(' ')
}

/** Undefined for a process that has ended meanwhile. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
