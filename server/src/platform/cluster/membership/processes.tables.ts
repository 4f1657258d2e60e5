import type { ProcessRole } from './membership.ts'

/** A process that lives, or whose end nobody has dealt with yet. */
export interface ServerProcessTable {
  id: string
  role: ProcessRole
  /** Host name, for operators. */
  host: string
  /** Process id in the operating system, for operators. */
  pid: number
  /** Grows for as long as it lives; -1 once it said goodbye. */
  beat: number
  /** Time of the last heartbeat by the machine's clock, for operators. */
  beat_at: string
  started_at: string
  /** The process that deals with its end. */
  ended_by: string | null
}
