import { readFileSync } from 'node:fs'

/** Database, search index, parsers and a few connections need about 60; what is busy needs more. */
const LEAST = 256

/** The operating system lets this process open too few files for Docent to work. */
export class TooFewDescriptorsError extends Error {
  override name = 'TooFewDescriptorsError'
  constructor(limit: number) {
    super(
      `This process may have no more than ${limit} files and connections open at once, and needs ${LEAST}: raise the limit (ulimit -n 65536, LimitNOFILE of systemd, nofile of Docker)`,
    )
  }
}

/** Files and connections that this process may have open at once. Node has raised it as far as it may be by now. */
export function descriptorLimit(): number {
  const limit = limitOfLinux() ?? limitReported()
  return typeof limit === 'number' ? limit : Number.POSITIVE_INFINITY
}

/** Undefined on other systems. */
function limitOfLinux(): number | undefined {
  try {
    const [, soft] = /^Max open files +(\d+|unlimited) /m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === 'unlimited' ? Number.POSITIVE_INFINITY : soft === undefined ? undefined : Number(soft)
  } catch {
    return undefined
  }
}

/** Reads the limit from Node's process report; its stack trace makes a start read its source maps. */
function limitReported(): number | 'unlimited' | undefined {
  // Else the report looks up names of hosts; the types do not know the switch.
  Object.assign(process.report, { excludeNetwork: true })
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: number | 'unlimited' } } }
  return userLimits?.open_files?.soft
}

/** @throws TooFewDescriptorsError before anything is opened that could not be closed in order */
export function checkDescriptors(limit = descriptorLimit()): void {
  if (limit < LEAST) throw new TooFewDescriptorsError(limit)
}

/** Connections that may come in, so that there is room for files, processes, and connections that go out. */
export const connectionsWithin = (limit: number): number => Math.floor(limit * 0.75)
