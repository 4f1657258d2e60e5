import type { z } from 'zod'
import type { IsNamed } from '../../content/markdown/inert-links/named-hosts.ts'
import type { AttachedFile, KeptSearch } from '../../retrieval/retrieval.ts'
import type { AgentRecord } from '../agent/agents.store.ts'
import type { CitationBook } from '../loop/citations.ts'

/** Preview of a tool's result in the stream. */
export interface ToolPreview {
  title: string
  content: string
  content_type: 'text' | 'markdown' | 'json' | 'html' | 'image'
  status: 'completed' | 'error'
}

export interface ToolResult {
  /** Text for the model. */
  content: string
  preview: Omit<ToolPreview, 'status'>
  /** Result as a value, for models inside this process. */
  data?: unknown
  /** Search that it was, to be kept with the message. */
  search?: KeptSearch
}

/** The message that is being answered. */
export interface RunScope {
  organizationId: string
  workspaceId: string
  chatId: string
  messageId: string
  /** Virtual user who asked, where the caller named one. */
  virtualUserId: string | null
  /** Holder of the rights with which folders are read; null: all that the agent has are read. */
  rightsHolderId: string | null
}

export interface ToolContext {
  agent: AgentRecord
  run: RunScope
  /** Files that were sent with the question. */
  files: AttachedFile[]
  /** Numbers the passages of this run, so that `[1]` means one thing in all of its answer. */
  citations: CitationBook
  outputs: Outputs
  /** Lets another agent answer, as part of this run. @returns what it said. */
  delegate(agent: AgentRecord, query: string): Promise<string>
  signal: AbortSignal
}

/** Facts by which a tool judges whether a call needs a person. */
export interface ApprovalContext extends Pick<ToolContext, 'agent' | 'citations'> {
  /** Whether what folders hold may have been read in this run. */
  readsFolders: boolean
  /** Whether the person or the operator named a host. */
  isNamed: IsNamed
}

/** Takes the files that tools make in this run. */
export interface Outputs {
  count(): number
  /** Stores the file with the message. @returns the short key under which the person finds it. */
  add(file: { fileName: string; mediaType: string; content: Buffer }): Promise<{ key: string }>
  /** The newest file of that name that this run made. */
  read(fileName: string): Promise<{ mediaType: string; content: Buffer } | undefined>
}

/**
 * Something that an agent can do. A tool throws a ToolError, or any DomainError, for what the model can do better the
 * next time; any other error is logged, and reported as a failure without details.
 */
export interface Tool<Arguments = unknown> {
  /** Name of a built-in tool, or `SERVER__TOOL`. */
  name: string
  /** Description for the model: when to use the tool, and what it returns. */
  description: string
  arguments: z.ZodType<Arguments>
  /** JSON Schema for the model, where it is not the one of `arguments`. */
  parameters?: Record<string, unknown>
  timeoutMs: number
  /**
   * Whether its calls change nothing and need nothing of each other: those of one reply are then carried out at the same
   * time. Absent if that is not certain: the tool's calls then run alone.
   */
  isReadOnly?: boolean
  /** Whether the tool works in several steps, so that its end is reported. */
  isHighLevel?: boolean
  /** Text that the model gets before the conversation, where it has this tool: it need not ask the tool for it. */
  brief?(context: Pick<ToolContext, 'agent' | 'run'>): Promise<string | undefined>
  /** A tool with a question for a person: the run waits, and the answer is its result. */
  ask?(given: Arguments): { text: string; options: string[] }
  /** Question to the person who has to approve this call; undefined if it needs no approval. */
  asksFor?(given: Arguments, context: ApprovalContext): string | undefined
  /** Whether its results number passages: those of one reply do so in the order of its calls. */
  cites?: boolean
  /** @returns the result, or, where it numbers passages, what makes it once earlier calls have numbered theirs. */
  run(given: Arguments, context: ToolContext): Promise<ToolResult | (() => ToolResult)>
}

/** Brings tools that depend on the agent, like those of its MCP servers. */
export interface ToolSource {
  of(agent: AgentRecord, context: ToolSourceContext): Promise<SourcedTools>
}

export interface ToolSourceContext {
  /** Agents at work, each called by the one before; this one is the last. */
  path: readonly string[]
  /** Member whose rights count; null for a key. */
  rightsHolderId: string | null
  signal: AbortSignal
}

export interface SourcedTools {
  tools: Tool[]
  /** Missing tools and files, shown to the person and to the model. */
  problems?: { name: string; message: string }[]
  /** Tools that the agent has and may not use here, with the reason that a model gets when it calls one. */
  withheld?: { name: string; reason: string }[]
}

/** Keeps the arguments' type while the tool is written, and lets it go for the registry. */
export const defineTool = <Arguments>(tool: Tool<Arguments>): Tool => tool as Tool

export class ToolError extends Error {
  override name = 'ToolError'
  /** Text for the model, where that is not the message: with words of others marked as such. */
  readonly content: string
  constructor(message: string, { content = message, ...options }: ErrorOptions & { content?: string } = {}) {
    super(message, options)
    this.content = content
  }
}
