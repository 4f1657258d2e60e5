/** Parameter of an operation, and the argument of the tool that holds its value. */
export interface ApiParameter {
  argument: string
  name: string
  in: 'path' | 'query' | 'header' | 'cookie'
  /** How a list or an object is written; `json` for one that the document describes as JSON. */
  style: string
  explode: boolean
}

/** Operation of an HTTP API as a tool needs it: references resolved, schemas cut to what a model reads. */
export interface ApiOperation {
  /** Its `operationId`, or method and path. */
  id: string
  /** HTTP method, in capitals. */
  method: string
  /** Template with the names of parameters in braces. */
  path: string
  summary: string
  description: string
  isDeprecated: boolean
  parameters: ApiParameter[]
  /** Body, sent from the argument of this name. */
  body: { argument: string; mediaType: string } | null
  /** JSON Schema of the arguments. */
  schema: Record<string, unknown>
  /** Reason that no tool can be made of it. */
  problem: string | null
}

/** An OpenAPI document, reduced to what its tools need. */
export interface ApiDocument {
  title: string
  version: string
  /** URL of its first server, perhaps relative to that of the document; null if it names none. */
  server: string | null
  operations: ApiOperation[]
}

/** Result of reading a document: what it says, or why it cannot be used. */
export type ReadDocument = { document: ApiDocument } | { problem: string }

/** Whether a call of it should change nothing. */
export const isReadOnly = ({ method }: ApiOperation): boolean => method === 'GET' || method === 'HEAD'
