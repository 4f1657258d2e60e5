import type { z } from 'zod'
import type { AttachedFile } from '../../retrieval/attached-files.ts'
import type { AgentRecord } from '../agents.store.ts'
import type { CitationBook } from '../citations.ts'
import type { ToolName } from './tool-names.ts'

/** What the stream shows of a tool's result. */
export interface ToolPreview {
  title: string
  content: string
  content_type: 'text' | 'markdown' | 'json' | 'html' | 'image'
  status: 'completed' | 'error'
}

export interface ToolResult {
  /** What the model reads. */
  content: string
  preview: Omit<ToolPreview, 'status'>
  /** The same as a value, for models inside this process. */
  data?: unknown
}

export interface ToolContext {
  agent: AgentRecord
  /** Files that were sent with the question. */
  files: AttachedFile[]
  /** Numbers the passages of this run, so that `[1]` means one thing in all of its answer. */
  citations: CitationBook
  outputs: Outputs
  signal: AbortSignal
}

/** Takes the files that tools make in this run. */
export interface Outputs {
  count(): number
  /** Stores the file with the message. @returns the short key under which the person finds it. */
  add(file: { fileName: string; mediaType: string; content: Buffer }): Promise<{ key: string }>
}

/**
 * Something that an agent can do. A tool throws a ToolError, or any DomainError, for what the model can do better the
 * next time; anything else is logged and told as a failure without details.
 */
export interface Tool<Arguments = unknown> {
  name: ToolName
  /** For the model: when to use it, and what comes back. */
  description: string
  arguments: z.ZodType<Arguments>
  timeoutMs: number
  run(given: Arguments, context: ToolContext): Promise<ToolResult>
}

/** Keeps the arguments' type while the tool is written, and lets it go for the registry. */
export const defineTool = <Arguments>(tool: Tool<Arguments>): Tool => tool as Tool

export class ToolError extends Error {
  override name = 'ToolError'
}
