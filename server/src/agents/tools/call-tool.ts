import { isDatabaseAway } from '../../platform/database/away-errors.ts'
import { patiently } from '../../platform/database/patience.ts'
import { DomainError } from '../../platform/errors.ts'
import type { ToolCall } from '../../platform/models/model.ts'
import type { Logger } from '../../platform/telemetry/logger.ts'
import type { KeptSearch } from '../../retrieval/retrieval.ts'
import { WaitingForReview } from '../loop/review.ts'
import { type Tool, type ToolContext, ToolError, type ToolPreview } from './tool.ts'
import { readArguments } from './tool-arguments.ts'

export interface ToolOutcome {
  content: string
  preview: ToolPreview
  data?: unknown
  search?: KeptSearch
}

/**
 * Calls a tool as the model asked for it. Every failure is an outcome that the model can read: a failing tool
 * never ends a run.
 * @param untilItsTurn resolves when those called before it have numbered their passages
 * @throws WaitingForReview where a sub-agent has to wait for a person; what the database fails with while it is away
 */
export async function callTool(
  tool: Tool,
  call: ToolCall,
  context: ToolContext,
  logger: Logger,
  untilItsTurn: () => Promise<unknown> = async () => {},
): Promise<ToolOutcome> {
  const timeout = AbortSignal.timeout(tool.timeoutMs)
  const signal = AbortSignal.any([context.signal, timeout])
  try {
    const given = readArguments(tool, call.arguments)
    // Its time is not for waiting: while the database is away the run waits, and then makes the call again.
    const running = patiently({ signal, ms: 0 }, () => tool.run(given, { ...context, signal }))
    const found = await Promise.race([running, rejection(signal)])
    if (typeof found === 'function') await untilItsTurn()
    const result = typeof found === 'function' ? found() : found
    return { ...result, preview: { ...result.preview, status: 'completed' } }
  } catch (error) {
    if (context.signal.aborted) throw context.signal.reason
    if (error instanceof WaitingForReview) throw error
    if (isDatabaseAway(error)) throw error
    if (timeout.aborted) return failed(tool.name, `The tool took longer than ${tool.timeoutMs / 1000} s.`)
    if (error instanceof ToolError) return failed(tool.name, error.message, error.content)
    if (error instanceof DomainError) return failed(tool.name, error.message)
    logger.error({ err: error, tool: tool.name }, 'a tool failed')
    return failed(tool.name, 'The tool failed.')
  }
}

export const failed = (name: string, message: string, content = message): ToolOutcome => ({
  content,
  preview: { title: name, content: message, content_type: 'text', status: 'error' },
})

const rejection = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) return reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
