import { hash } from 'node:crypto'
import type { ModelMessage, ToolCall } from '../platform/models/model.ts'
import { type LoopTask, runLoop } from './agent-loop.ts'
import type { AgentRecord } from './agents.store.ts'
import { recallNothing } from './history.ts'
import { makeInert } from './inert-links/inert-links.ts'
import { type IsNamed, namedHosts } from './inert-links/named-hosts.ts'
import { limitsOf, MOST_EQUAL_CALLS } from './limits.ts'
import { type ReviewRequest, WaitingForReview } from './review.ts'
import type { RunTree } from './run-agent.ts'
import { eventsOfSubAgent, type ShownCall } from './run-events.ts'
import { type LoopState, newLoopState } from './run-state.ts'
import { argumentsOf, callTool, failed, objectIn, readArguments, type ToolOutcome } from './tools/call-tool.ts'
import type { ApprovalContext, ToolContext, ToolPreview } from './tools/tool.ts'
import { ToolError } from './tools/tool.ts'
import { isNamedIn } from './tools/tool-names.ts'
import type { OfferedTool, OpenToolbox } from './tools/toolbox.ts'

export interface LoopWork {
  tree: RunTree
  task: LoopTask
  tools: OfferedTool[]
  withheld: OpenToolbox['withheld']
  state: LoopState
}

/**
 * Answers the calls of the last turn that have no result yet, in order, and stores the run after each.
 * @throws WaitingForReview
 */
export async function answerCalls(work: LoopWork): Promise<void> {
  const { tree, state } = work
  for (const call of openCalls(state)) {
    state.turns.push(await answerCall(work, call))
    state.open = undefined
    state.child = undefined
    tree.checkpoint()
  }
}

function openCalls({ turns }: LoopState): ToolCall[] {
  const last = turns.findLastIndex(({ role }) => role === 'assistant')
  const said = turns[last]
  return said?.role === 'assistant' ? (said.toolCalls ?? []).slice(turns.length - 1 - last) : []
}

async function answerCall(work: LoopWork, call: ToolCall): Promise<ModelMessage> {
  const { tree, task, tools, withheld, state } = work
  const offered = tools.find(({ tool }) => tool.name === call.name)
  const tool = offered?.tool
  const shown: ShownCall = { id: call.id, toolName: call.name }
  if (state.open?.id !== call.id) {
    state.open = { id: call.id, isRepeated: isRepeated(state, call) }
    task.events.toolCallStart(shown, argumentsOf(call))
  }
  const outcome = state.open.isRepeated
    ? failed(call.name, 'This very call was made before, with the same result. Do not repeat it: answer now.')
    : offered
      ? await carryOut(work, call, offered)
      : failed(call.name, whyAbsent(call.name))
  tree.signal.throwIfAborted()
  const { changedArguments } = state.open!
  const changed = changedArguments === undefined ? undefined : objectIn(changedArguments)
  task.events.toolCallResult(shown, withInertLinks(outcome.preview, tree.isNamed), changed)
  if (tool?.isHighLevel) task.events.toolCallEnd(shown)
  return {
    role: 'tool',
    toolCallId: call.id,
    toolName: call.name,
    content: cut(
      `${saidOfChange(changedArguments)}${outcome.content}`,
      limitsOf(task.agent.limits).maxToolOutputCharacters,
    ),
    isError: outcome.preview.status === 'error',
    data: outcome.data,
  }

  function whyAbsent(name: string): string {
    return withheld.find((one) => one.name === name)?.reason ?? `There is no tool named ${name}.`
  }
}

/** A preview is shown as it comes: an image in it would be fetched, and what it quotes may be anybody's. */
function withInertLinks(preview: ToolPreview, isNamed: IsNamed): ToolPreview {
  return preview.content_type === 'markdown' ? { ...preview, content: makeInert(preview.content, isNamed) } : preview
}

/** Counts the call. */
function isRepeated(state: LoopState, { name, arguments: given }: ToolCall): boolean {
  const key = hash('sha256', `${name} ${given}`, 'base64')
  const count = (state.calls[key] ?? 0) + 1
  state.calls[key] = count
  return count > MOST_EQUAL_CALLS
}

/** Calls the tool, once a person has allowed it or answered, where that is needed. */
async function carryOut(work: LoopWork, call: ToolCall, { tool, forModel }: OfferedTool): Promise<ToolOutcome> {
  const { tree, state } = work
  const open = state.open!
  if (open.review === 'pending') {
    const decided = tree.takeDecision()
    if (decided.decision === 'reject') return rejected(tool.name, decided.note)
    if (tool.ask) return answeredBy(tool.name, decided.note ?? '')
    open.review = 'approved'
    open.parameters = undefined
    if (decided.arguments) open.changedArguments = JSON.stringify(decided.arguments)
  }
  if (open.review !== 'approved') {
    const request = requestFor(work, call, tool)
    if (request instanceof ToolError) return failed(tool.name, request.message)
    if (request) {
      open.review = 'pending'
      if (request.kind === 'approval') open.parameters = forModel.parameters
      throw new WaitingForReview(request)
    }
  }
  const { changedArguments = call.arguments } = open
  return callTool(tool, { ...call, arguments: changedArguments }, contextOf(work, call), tree.logger)

  function requestFor({ tree, task: { agent } }: LoopWork, call: ToolCall, tool: OfferedTool['tool']) {
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

  function contextOf({ tree, task, state }: LoopWork, call: ToolCall): ToolContext {
    return {
      agent: task.agent,
      run: tree.run,
      files: task.files,
      citations: tree.citations,
      outputs: tree.outputs,
      signal: tree.signal,
      async delegate(agent, query) {
        const events = eventsOfSubAgent(task.events, agent, call.id)
        state.child ??= newLoopState()
        const path = [...task.path, agent.id]
        return runLoop(tree, { agent, path, recall: recallNothing, query, files: task.files, events }, state.child)
      },
    }
  }
}

/** A sub-agent's instructions are the operator's words, too; the task that its caller's model gave it is not. */
function approvalContext({ citations, state, isNamed }: RunTree, agent: AgentRecord): ApprovalContext {
  const isNamedHere = namedHosts({ texts: () => [agent.instructions], patterns: isNamed })
  return { agent, citations, readsFolders: state.readsFolders === true, isNamed: isNamedHere }
}

/** The model reads its own call as it made it, and has to know what became of it. */
const saidOfChange = (changed: string | undefined): string =>
  changed === undefined ? '' : `A person allowed this call with other arguments: ${changed}\nIts result:\n`

function rejected(name: string, note: string | null): ToolOutcome {
  const why = note ? ` They say: “${note}”` : ''
  return failed(name, `A person looked at this call and rejected it.${why} Do not try it again in this form.`)
}

const answeredBy = (name: string, answer: string): ToolOutcome => ({
  content: answer,
  preview: { title: name, content: answer, content_type: 'text', status: 'completed' },
})

/** A section of others' words that is cut is closed all the same. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const beginning = text.slice(0, most)
  const isOpen = beginning.lastIndexOf('<passage') > beginning.lastIndexOf('</passage>')
  return `${beginning}${isOpen ? '\n</passage>' : ''}\n(cut here: ${text.length - most} more characters)`
}
