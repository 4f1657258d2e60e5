import type { ModelMessage, ToolCall } from '../../../platform/models/model.ts'
import { callTool, failed, type ToolOutcome } from '../../tools/call-tool.ts'
import { type ToolContext, ToolError } from '../../tools/tool.ts'
import type { OfferedTool } from '../../tools/toolbox.ts'
import { recallNothing } from '../history.ts'
import { WaitingForReview } from '../review.ts'
import { eventsOfSubAgent } from '../run-events.ts'
import { type LoopState, newLoopState } from '../run-state.ts'
import { answerBeside } from './calls-beside.ts'
import { countBeside } from './count-beside.ts'
import { beginCall, concludeCall, findOffered, type LoopWork, refusalOf, requestFor } from './tool-calls.ts'

/**
 * Answers the calls of the last reply that have no result yet and stores the run after each. Those that only read are
 * carried out side by side; one that may change something, or waits for a person, begins when all before it have ended,
 * and those after it wait for it. The model reads the results in the order of its calls.
 * @throws WaitingForReview
 */
export async function answerCalls(work: LoopWork): Promise<void> {
  const { tree, state } = work
  for (let calls = openCalls(state); calls.length > 0; calls = openCalls(state)) {
    const together = calls.slice(0, countBeside(work, calls))
    const results =
      together.length > 1
        ? await answerBeside(work, together, (call) => contextOf(work, call))
        : [await answerAlone(work, calls[0]!)]
    state.turns.push(...results)
    state.open = undefined
    state.child = undefined
    if (results.length === calls.length) state.beside = undefined
    tree.checkpoint()
  }
}

function openCalls({ turns }: LoopState): ToolCall[] {
  const last = turns.findLastIndex(({ role }) => role === 'assistant')
  const said = turns[last]
  return said?.role === 'assistant' ? (said.toolCalls ?? []).slice(turns.length - 1 - last) : []
}

async function answerAlone(work: LoopWork, call: ToolCall): Promise<ModelMessage> {
  const { state } = work
  // As an earlier part of the run began it, when it could be beside others still.
  const begun = state.beside?.find(({ id }) => id === call.id)
  if (begun?.result) return begun.result
  if (state.open?.id !== call.id) {
    state.open = { id: call.id, isRepeated: begun ? begun.isRepeated : beginCall(work, call) }
  }
  const { open } = state
  const outcome = refusalOf(work, call, open.isRepeated) ?? (await carryOut(work, call, findOffered(work, call)!))
  return concludeCall(work, call, outcome, open.changedArguments)
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
}

function contextOf({ tree, task, state, runSubAgent }: LoopWork, call: ToolCall): ToolContext {
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
      return runSubAgent(tree, { agent, path, recall: recallNothing, query, files: task.files, events }, state.child)
    },
  }
}

function rejected(name: string, note: string | null): ToolOutcome {
  const why = note ? ` They say: “${note}”` : ''
  return failed(name, `A person looked at this call and rejected it.${why} Do not try it again in this form.`)
}

const answeredBy = (name: string, answer: string): ToolOutcome => ({
  content: answer,
  preview: { title: name, content: answer, content_type: 'text', status: 'completed' },
})
