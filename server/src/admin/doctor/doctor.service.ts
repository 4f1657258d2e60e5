import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import pLimit from 'p-limit'
import type { Kernel } from '../../kernel.ts'
import { UnavailableError } from '../../platform/errors.ts'
import type { DoctorReply, DoctorRequest } from './doctor.child.ts'
import type { Diagnosis } from './doctor.ts'

/** The doctor could not come. What kept it is the `cause`. */
class DoctorFailedError extends UnavailableError {
  override name = 'DoctorFailedError'
  constructor(options?: ErrorOptions) {
    super('The installation cannot be examined at the moment; the log of the server says why', options)
  }
}

export type DoctorService = ReturnType<typeof createDoctorService>

const CHILD = fileURLToPath(new URL('./doctor.child.ts', import.meta.url))

/**
 * Has the installation examined in a process of its own: what it does would hold up everything else, and what is
 * damaged may take the process down. One at a time; who asks while one runs for the same organization gets its result.
 */
export function createDoctorService({ config, register }: Kernel) {
  const { access, dataDir, database, http, s3, models } = config
  const alone = pLimit(1)
  const running = new Map<string, Promise<Diagnosis>>()
  const stop = new AbortController()
  register({ close: () => stop.abort() })

  function run(organizationId: string): Promise<Diagnosis> {
    return new Promise((resolve, reject) => {
      const child = fork(CHILD, {
        execArgv: ['--disable-warning=ExperimentalWarning'],
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
        // As JSON: a setting may be a function, and the doctor needs none.
        serialization: 'json',
        signal: stop.signal,
        killSignal: 'SIGKILL',
      })
      const fail = (cause: unknown) => reject(new DoctorFailedError({ cause }))
      child.once('message', (reply: DoctorReply) =>
        'found' in reply ? resolve(reply.found) : fail(new Error(reply.failed)),
      )
      child.once('error', fail)
      child.once('exit', (code, signal) => fail(new Error(`the doctor's process ended with ${signal ?? code}`)))
      const request: DoctorRequest = { config: { access, dataDir, database, http, s3, models }, organizationId }
      child.send(request, (error) => error && fail(error))
    })
  }

  return {
    /** @throws DoctorFailedError */
    examine(organizationId: string): Promise<Diagnosis> {
      const known = running.get(organizationId)
      if (known) return known
      const found = alone(() => run(organizationId)).finally(() => running.delete(organizationId))
      running.set(organizationId, found)
      return found
    },
  }
}
