/** Document of an API that an agent uses, as its tools need it. It is never changed, only replaced. */
export interface OpenApiDocumentTable {
  id: string
  organization_id: string
  agent_id: string
  /** JSON. */
  document: string
  created_at: string
}
