import type { ProcessRole } from './membership.ts'

/** A process that lives, or whose end nobody has dealt with yet. */
export interface ServerProcessTable {
  id: string
  role: ProcessRole
  /** For operators. */
  host: string
  /** For operators: of the operating system. */
  pid: number
  /** Grows for as long as it lives; -1 once it said goodbye. */
  beat: number
  /** When it last grew by the clock of its machine, for operators. */
  beat_at: string
  started_at: string
  /** The process that deals with its end. */
  ended_by: string | null
}
