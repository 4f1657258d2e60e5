import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { tableOf } from '../lance-engine.ts'
import type { LanceStorage } from '../lance-library.ts'

export type SpaceState = { state: 'sound' } | { state: 'absent' } | { state: 'damaged'; reason: string }

export interface Examination {
  storage: LanceStorage
  table: string
}

/** Messages of the process: that it is still at work, how it found the space, or why it could not look. */
export type ExaminationReply = 'on' | SpaceState | { unknown: string }

const CHILD = fileURLToPath(new URL('./examine-space.child.ts', import.meta.url))
/** Reading one part of an index, a few hundred MB at most, takes seconds; what is damaged may be read for ever. */
const SILENCE_MS = 120_000

/**
 * Compares the files of a space with their checksums and reads everything that it holds, without what is cached of
 * it, in a process of its own: what is damaged can let LanceDB hang, or take the process down. 0.6 s and a processor
 * for 20,000 passages.
 * @throws Error when the storage is away, and other things that say nothing about the space
 */
export async function examineSpace(storage: LanceStorage, space: string): Promise<SpaceState> {
  const child = fork(CHILD, {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    // LanceDB writes backtraces of what it stumbles over.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    env: { ...process.env, LANCEDB_LOG: 'off', RUST_BACKTRACE: '0' },
  })
  let patience: NodeJS.Timeout | undefined
  try {
    return await new Promise<SpaceState>((resolve, reject) => {
      const wait = () => {
        clearTimeout(patience)
        patience = setTimeout(
          () => resolve({ state: 'damaged', reason: 'reading it does not come to an end' }),
          SILENCE_MS,
        )
      }
      wait()
      child.on('message', (reply: ExaminationReply) => {
        if (reply === 'on') wait()
        else if ('unknown' in reply) reject(new Error(reply.unknown))
        else resolve(reply)
      })
      child.once('error', reject)
      child.once('exit', (code, signal) => {
        // Killed from outside says nothing about the space; LanceDB itself aborts.
        if (signal === 'SIGABRT' || signal === 'SIGSEGV' || signal === 'SIGBUS' || signal === 'SIGILL')
          resolve({ state: 'damaged', reason: `reading it ends the process (${signal})` })
        else reject(new Error(`The process that examines the search index ended with ${signal ?? code}`))
      })
      child.send({ storage, table: tableOf(space) } satisfies Examination, (error) => error && reject(error))
    })
  } finally {
    clearTimeout(patience)
    child.kill('SIGKILL')
  }
}
