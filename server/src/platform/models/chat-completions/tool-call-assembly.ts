import { randomBytes } from 'node:crypto'
import type { ToolCall } from '../model.ts'

/** A piece of a tool call as chat completions stream it. Servers leave out whichever of these they like. */
export interface ToolCallFragment {
  index?: number | null
  id?: string | null
  function?: { name?: string | null; arguments?: unknown } | null
  /** Data that some providers want to see again with the call. */
  extra_content?: unknown
}

interface OpenCall extends ToolCall {
  index: number | undefined
  isIdGiven: boolean
  extra?: unknown
}

/** Puts tool calls together from fragments, in the order in which they began. */
export function createToolCallAssembly() {
  const calls: OpenCall[] = []

  function add(fragment: ToolCallFragment): void {
    const { name, arguments: args } = fragment.function ?? {}
    const call = find(fragment) ?? open(fragment)
    if (name && !call.name) call.name = name
    if (fragment.id && !call.isIdGiven) {
      call.id = fragment.id
      call.isIdGiven = true
    }
    // Whole arguments come as an object from servers that do not take the wire format by the letter.
    if (typeof args === 'string') call.arguments += args
    else if (args !== undefined && args !== null) call.arguments = JSON.stringify(args)
    if (fragment.extra_content !== undefined) call.extra = fragment.extra_content
  }

  function find({ index, id, function: described }: ToolCallFragment): OpenCall | undefined {
    if (typeof index === 'number') {
      const call = calls.findLast((candidate) => candidate.index === index)
      // Servers that send whole calls number them all 0: another id is another call.
      return call && (!id || !call.isIdGiven || call.id === id) ? call : undefined
    }
    if (id) return calls.find((call) => call.id === id)
    // Without id and index a name begins a call, and anything else continues the latest.
    return described?.name ? undefined : calls.at(-1)
  }

  function open({ index, id }: ToolCallFragment): OpenCall {
    const call: OpenCall = {
      id: id || `call_${randomBytes(9).toString('base64url')}`,
      isIdGiven: Boolean(id),
      index: index ?? undefined,
      name: '',
      arguments: '',
    }
    calls.push(call)
    return call
  }

  return {
    add,
    /** The calls so far. Without arguments means `{}`: tools that take none are called so. */
    finish: (): ToolCall[] =>
      calls
        .filter((call) => call.name)
        .map(({ id, name, arguments: args }) => ({ id, name, arguments: args.trim() ? args : '{}' })),
    /** Data that providers attached to calls, by call id. */
    extras: (): Record<string, unknown> =>
      Object.fromEntries(calls.filter((call) => call.extra !== undefined).map((call) => [call.id, call.extra])),
  }
}
