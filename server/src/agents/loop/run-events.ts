import type { KeptSearch } from '../../retrieval/retrieval.ts'
import type { AgentRecord } from '../agent/agents.store.ts'
import type { ToolPreview } from '../tools/tool.ts'

/** Callbacks of a run, called synchronously as things happen. */
export interface RunEvents {
  reasoning(text: string): void
  /** The reasoning before this point is complete. */
  endReasoning(): void
  /** Texts of one read from the model, in order. */
  response(texts: string[]): void
  toolCallStart(call: ShownCall, given: Record<string, unknown> | undefined): void
  toolCallResult(call: ShownCall, preview: ToolPreview, beside?: BesideResult): void
  /** A tool that did work of several steps is through with it. */
  toolCallEnd(call: ShownCall): void
}

/** Details of a result that is shown. */
export interface BesideResult {
  /** Arguments that a person set for the call, instead of those reported at its start. */
  changed?: Record<string, unknown> | undefined
  /** Search that the call was: kept, and not shown. */
  search?: KeptSearch | undefined
}

export interface ShownCall {
  id: string
  toolName: string
  /** The sub-agent that made it, and the call that put that one to work. */
  by?: { agentId: string; agentName: string; parentCallId: string }
}

/** Events of a sub-agent: its steps are shown as its caller's; its text goes only to its caller. */
export function eventsOfSubAgent(events: RunEvents, agent: AgentRecord, parentCallId: string): RunEvents {
  const by = { agentId: agent.id, agentName: agent.name, parentCallId }
  // The innermost agent that does something is named.
  const shown = (call: ShownCall): ShownCall => (call.by ? call : { ...call, by })
  return {
    reasoning() {},
    endReasoning() {},
    response() {},
    toolCallStart: (call, given) => events.toolCallStart(shown(call), given),
    toolCallResult: (call, preview, beside) => events.toolCallResult(shown(call), preview, beside),
    toolCallEnd: (call) => events.toolCallEnd(shown(call)),
  }
}
