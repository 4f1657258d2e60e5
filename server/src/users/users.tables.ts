export interface VirtualUserTable {
  id: string
  organization_id: string
  workspace_id: string
  /** E-mail as first given. */
  email: string
  /** Lower case: what e-mails are matched by. */
  email_key: string
  name: string | null
  /** Folded form of the name, for searching. */
  name_key: string | null
  origin: string | null
  origin_key: string | null
  /** JSON object. */
  metadata: string
  created_at: string
  updated_at: string | null
  deleted_at: string | null
  /** Profile that this one was merged into; its e-mail stands for that one. */
  merged_into: string | null
}
