export interface TaskTable {
  id: string
  organization_id: string
  kind: string
  /** JSON; ids, not rows. */
  payload: string
  state: 'waiting' | 'running' | 'dead'
  /** Raised at each claim: who holds an older number must write nothing more. */
  attempt: number
  /** ISO time before which nobody takes it. */
  run_at: string
  lease_until: string | null
  last_error: string | null
  created_at: string
}

/** History of a task that was begun more than once, whichever queue has it. */
export interface TaskTroubleTable {
  task_id: string
  /** Attempts that ended with an error. */
  failures: number
  /** Attempts that ended without a word: with their process, or because that stood still for too long. */
  losses: number
  /** Processes that died while the task was at work. */
  deaths: number
  /** The process in which it is at work since it came under suspicion; null while it only waits. */
  process_id: string | null
  noted_at: string
}
