/** Something administrative that was done. Rows are written once, and removed only when they are old. */
export interface AuditEntryTable {
  id: string
  organization_id: string
  /** The workspace that it concerns; null for what all workspaces of the organization share. */
  workspace_id: string | null
  /** The API key that did it; null for an operator on the command line. */
  key_id: string | null
  action: string
  target_type: string
  target_id: string
  /** Name at that time; null where it would be a person's name. */
  target_name: string | null
  /** JSON object. */
  details: string
  request_id: string | null
  ip: string | null
  created_at: string
}
