import type { ToolCall } from '../../../platform/models/model.ts'
import { ToolError } from '../../tools/tool.ts'
import { findOffered, type LoopWork, requestFor } from './tool-calls.ts'

/** Number of leading calls that may be carried out at the same time: they change nothing and need no approval. */
export function countBeside(work: LoopWork, calls: ToolCall[]): number {
  const ids = new Set<string>()
  const alone = calls.findIndex((call) => {
    if (ids.has(call.id) || !mayStandBeside(work, call)) return true
    ids.add(call.id)
    return false
  })
  return alone === -1 ? calls.length : alone
}

function mayStandBeside(work: LoopWork, call: ToolCall): boolean {
  // An earlier part of the run began it alone.
  if (work.state.open?.id === call.id) return false
  const tool = findOffered(work, call)?.tool
  if (!tool) return true
  if (!tool.isReadOnly) return false
  const request = requestFor(work, call, tool)
  return request === undefined || request instanceof ToolError
}
