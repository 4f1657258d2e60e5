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
