import type { StreamEvent } from '../../chats/chats.ts'
import type { PlacedCitation } from '../asking.ts'

type ToolCall = Extract<StreamEvent, { type: 'live_update' }>['data']

export interface MessageItem {
  id: string
  type: 'message'
  status: 'in_progress' | 'completed' | 'incomplete'
  role: 'assistant'
  content: { type: 'output_text'; text: string; annotations: FileCitation[]; logprobs: [] }[]
}

export interface ReasoningItem {
  id: string
  type: 'reasoning'
  summary: { type: 'summary_text'; text: string }[]
}

export interface ToolItem {
  id: string
  type: 'file_search_call' | 'web_search_call' | 'code_interpreter_call' | 'mcp_call'
  status: 'in_progress' | 'completed' | 'incomplete' | 'failed'
  [field: string]: unknown
}

export type OutputItem = MessageItem | ReasoningItem | ToolItem

export interface FileCitation {
  type: 'file_citation'
  file_id: string
  filename: string
  /** Character of the text at which the citation's number stands. */
  index: number
  quote: string
}

export const toFileCitation = ({ start, fileId, fileName, quote }: PlacedCitation): FileCitation => ({
  type: 'file_citation',
  file_id: fileId,
  filename: fileName,
  index: start,
  quote,
})

export const textPart = (text: string, annotations: FileCitation[] = []) =>
  ({ type: 'output_text', text, annotations, logprobs: [] }) as const

/** A call of a tool as an item of the standard; undefined for tools that it has none for. */
export function toolItem({ tool_name: name, tool_call_id: callId, arguments: given }: ToolCall): ToolItem | undefined {
  const status = 'in_progress'
  if (name === 'search_knowledge')
    return { id: `fs_${callId}`, type: 'file_search_call', status, queries: [textOf(given?.query)], results: null }
  if (name === 'web_search')
    return {
      id: `ws_${callId}`,
      type: 'web_search_call',
      status,
      action: { type: 'search', query: textOf(given?.query) },
    }
  if (name === 'fetch_page')
    return {
      id: `ws_${callId}`,
      type: 'web_search_call',
      status,
      action: { type: 'open_page', url: textOf(given?.url) },
    }
  if (name === 'run_javascript')
    return {
      id: `ci_${callId}`,
      type: 'code_interpreter_call',
      status,
      code: textOf(given?.code),
      container_id: 'docent',
      outputs: null,
    }
  const [, server, tool] = /^(.+?)__(.+)$/.exec(name) ?? []
  if (!server) return undefined
  return {
    id: `mcp_${callId}`,
    type: 'mcp_call',
    status,
    server_label: server,
    name: tool,
    arguments: JSON.stringify(given ?? {}),
    output: null,
    error: null,
    approval_request_id: null,
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/**
 * Ends an item with its call.
 * @param preview what the person is shown of the result.
 * @returns name of the event that says so
 */
export function endToolItem(item: ToolItem, preview: ToolCall['preview']): 'completed' | 'failed' {
  const hasFailed = preview?.status === 'error'
  item.status = hasFailed ? 'failed' : 'completed'
  if (item.type !== 'mcp_call') return 'completed'
  item[hasFailed ? 'error' : 'output'] = preview?.content ?? ''
  return item.status
}

/** Events that say what a call does, beside those of its item. */
export const toolSteps = (item: ToolItem): string[] =>
  item.type === 'mcp_call'
    ? ['in_progress']
    : ['in_progress', item.type === 'code_interpreter_call' ? 'interpreting' : 'searching']
