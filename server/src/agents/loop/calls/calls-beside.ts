import pLimit from 'p-limit'
import type { ModelMessage, ToolCall } from '../../../platform/models/model.ts'
import { MOST_CALLS_AT_ONCE } from '../../agent/limits.ts'
import { callTool } from '../../tools/call-tool.ts'
import type { ToolContext } from '../../tools/tool.ts'
import { beginCall, concludeCall, findOffered, type LoopWork, refusalOf } from './tool-calls.ts'

/**
 * Answers calls at the same time, and stores the run after each. A call that has its result keeps it when the run
 * resumes in another process, or again because the database was unavailable.
 * @returns the results in the order of the calls, in which passages are numbered, too.
 * @throws what the first of them failed with that is no outcome for the model, once none is at work any more
 */
export async function answerBeside(
  work: LoopWork,
  calls: ToolCall[],
  contextOf: (call: ToolCall) => ToolContext,
): Promise<ModelMessage[]> {
  const { tree, state } = work
  state.beside ??= []
  const begun = state.beside
  const limit = pLimit(MOST_CALLS_AT_ONCE)
  const answers: Promise<ModelMessage>[] = []
  for (const call of calls) {
    const citing = answers.filter((_, index) => findOffered(work, calls[index]!)?.tool.cites)
    answers.push(limit(() => answerOne(call, () => Promise.allSettled(citing))))
  }
  const settled = await Promise.allSettled(answers)
  return settled.map((result) => {
    if (result.status === 'rejected') throw result.reason
    return result.value
  })

  async function answerOne(call: ToolCall, untilItsTurn: () => Promise<unknown>): Promise<ModelMessage> {
    tree.signal.throwIfAborted()
    let side = begun.find(({ id }) => id === call.id)
    if (side?.result) return side.result
    if (!side) {
      side = { id: call.id, isRepeated: beginCall(work, call) }
      begun.push(side)
    }
    const outcome =
      refusalOf(work, call, side.isRepeated) ??
      (await callTool(findOffered(work, call)!.tool, call, contextOf(call), tree.logger, untilItsTurn))
    side.result = concludeCall(work, call, outcome)
    const isLast = begun.length === calls.length && begun.every(({ result }) => result)
    // After the last one the caller stores the run.
    if (!isLast) tree.checkpoint()
    return side.result
  }
}
