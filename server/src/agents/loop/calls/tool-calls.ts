import { hash } from 'node:crypto'
import { makeInert } from '../../../content/markdown/inert-links/make-inert.ts'
import { type IsNamed, namedHosts } from '../../../content/markdown/inert-links/named-hosts.ts'
import type { ModelMessage, ToolCall } from '../../../platform/models/model.ts'
import type { AgentRecord } from '../../agent/agents.store.ts'
import { limitsOf, MOST_EQUAL_CALLS } from '../../agent/limits.ts'
import { isNamedIn } from '../../tools/builtin-tools.ts'
import { failed, type ToolOutcome } from '../../tools/call-tool.ts'
import { type ApprovalContext, type Tool, ToolError, type ToolPreview } from '../../tools/tool.ts'
import { argumentsOf, objectIn, readArguments } from '../../tools/tool-arguments.ts'
import type { OfferedTool, OpenToolbox } from '../../tools/toolbox.ts'
import type { LoopTask } from '../agent-loop.ts'
import type { ReviewRequest } from '../review.ts'
import type { RunTree } from '../run-agent.ts'
import type { ShownCall } from '../run-events.ts'
import type { LoopState } from '../run-state.ts'

export interface LoopWork {
  tree: RunTree
  task: LoopTask
  tools: OfferedTool[]
  withheld: OpenToolbox['withheld']
  state: LoopState
  /** The loop of an agent that a call asks. */
  runSubAgent(tree: RunTree, task: LoopTask, state: LoopState): Promise<string>
}

/** The tool that a call asks for; undefined where the agent has none of that name. */
export const findOffered = ({ tools }: LoopWork, { name }: ToolCall): OfferedTool | undefined =>
  tools.find(({ tool }) => tool.name === name)

/** Counts a call and shows that it begins. @returns whether it was made too often before to be carried out. */
export function beginCall({ task, state }: LoopWork, call: ToolCall): boolean {
  const isRepeated = countCall(state, call)
  task.events.toolCallStart(shownCall(call), argumentsOf(call))
  return isRepeated
}

/** Reason that a call is not carried out, for the model; undefined where it is. */
export function refusalOf(work: LoopWork, call: ToolCall, isRepeated: boolean | undefined): ToolOutcome | undefined {
  const { name } = call
  if (isRepeated)
    return failed(name, 'This very call was made before, with the same result. Do not repeat it: answer now.')
  if (findOffered(work, call)) return undefined
  const withheld = work.withheld.find((one) => one.name === name)
  return failed(name, withheld?.reason ?? `There is no tool named ${name}.`)
}

/**
 * Tells what a call brought.
 * @param changedArguments JSON object that a person had it called with
 * @returns what the model is going to read
 */
export function concludeCall(
  work: LoopWork,
  call: ToolCall,
  { content, preview, data, search }: ToolOutcome,
  changedArguments?: string,
): ModelMessage {
  const { tree, task } = work
  tree.signal.throwIfAborted()
  const shown = shownCall(call)
  const changed = changedArguments === undefined ? undefined : objectIn(changedArguments)
  task.events.toolCallResult(shown, withInertLinks(preview, tree.isNamed), { changed, search })
  if (findOffered(work, call)?.tool.isHighLevel) task.events.toolCallEnd(shown)
  return {
    role: 'tool',
    toolCallId: call.id,
    toolName: call.name,
    content: cut(`${changeNote(changedArguments)}${content}`, limitsOf(task.agent.limits).maxToolOutputCharacters),
    isError: preview.status === 'error',
    data,
  }
}

/** Request that a person has to decide before a call is carried out; a ToolError where the call is not valid. */
export function requestFor({ tree, task: { agent } }: LoopWork, call: ToolCall, tool: Tool) {
  try {
    const given = readArguments(tool, call.arguments)
    const of = { agentId: agent.id, toolName: tool.name }
    if (tool.ask) return { kind: 'question', ...of, ...tool.ask(given) } satisfies ReviewRequest
    const text = isNamedIn(agent.toolsNeedingApproval, tool.name)
      ? `May ${agent.name} use ${tool.name}?`
      : tool.asksFor?.(given, approvalContext(tree, agent))
    if (text === undefined) return undefined
    return { kind: 'approval', ...of, text, arguments: argumentsOf(call), options: [] } satisfies ReviewRequest
  } catch (error) {
    if (error instanceof ToolError) return error
    throw error
  }
}

const shownCall = ({ id, name }: ToolCall): ShownCall => ({ id, toolName: name })

/** A preview is shown as it comes: an image in it would be fetched, and what it quotes may be anybody's. */
function withInertLinks(preview: ToolPreview, isNamed: IsNamed): ToolPreview {
  return preview.content_type === 'markdown' ? { ...preview, content: makeInert(preview.content, isNamed) } : preview
}

/** @returns whether the call was made too often before. */
function countCall(state: LoopState, { name, arguments: given }: ToolCall): boolean {
  const key = hash('sha256', `${name} ${given}`, 'base64')
  const count = (state.calls[key] ?? 0) + 1
  state.calls[key] = count
  return count > MOST_EQUAL_CALLS
}

/** A sub-agent's instructions are the operator's words, too; the task that its caller's model gave it is not. */
function approvalContext({ citations, state, isNamed }: RunTree, agent: AgentRecord): ApprovalContext {
  const isNamedHere = namedHosts({ texts: () => [agent.instructions], patterns: isNamed })
  return { agent, citations, readsFolders: state.readsFolders === true, isNamed: isNamedHere }
}

/** The model reads its own call as it made it, and has to know what became of it. */
const changeNote = (changed: string | undefined): string =>
  changed === undefined ? '' : `A person allowed this call with other arguments: ${changed}\nIts result:\n`

/** A section of others' words that is cut is closed all the same. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const beginning = text.slice(0, most)
  const isOpen = beginning.lastIndexOf('<passage') > beginning.lastIndexOf('</passage>')
  return `${beginning}${isOpen ? '\n</passage>' : ''}\n(cut here: ${text.length - most} more characters)`
}
