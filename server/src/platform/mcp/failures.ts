import { ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client'
import { TooLateError } from '../concurrency/deadline.ts'
import { OutboundNotAllowedError } from '../outbound/outbound-guard.ts'
import type { McpTarget, Why } from './target.ts'

/** Failure of the last request: the network's error, or a status. */
export type Failure = Error | number | undefined

const LONGEST = 500

/** Reason that a server could not be reached, for the person who set it up. */
export function whyUnreachable(target: McpTarget, error: unknown, failure: Failure): Why {
  if (isTimeout(error)) return LATE
  if (target.transport === 'stdio')
    return { summary: 'The program could not be started or spoken to', detail: textOf(error) }
  if (failure instanceof OutboundNotAllowedError) return { summary: failure.message }
  if (failure instanceof Error) return { summary: `No connection (${reasonOf(failure)})`, detail: textOf(failure) }
  if (failure === 401)
    return {
      summary: 'It asks for a login (status 401): connect with it, or send the header that it wants',
      wantsLogin: true,
    }
  if (failure === 403)
    return { summary: `It refuses the credentials (status ${failure}): check the headers that it wants` }
  if (failure === 404 || failure === 405)
    return { summary: `There is no MCP server with this transport at the URL (status ${failure})` }
  if (failure !== undefined && failure < 400)
    return { summary: `It answers with a redirect (status ${failure}): name the URL that it leads to` }
  if (failure !== undefined) return { summary: `It answers with status ${failure}` }
  return { summary: 'It does not speak the protocol', detail: textOf(error) }
}

const LATE: Why = { summary: 'It did not answer in time' }

/** Reason that a call failed, for the model. */
export function whyNoCall(error: unknown, failure: Failure): string {
  if (isTimeout(error)) return 'The server did not answer in time.'
  if (error instanceof ProtocolError) return `The server refuses the call: ${textOf(error)}`
  if (error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed)
    return `The connection to the server broke off before it answered${failure instanceof Error ? ` (${reasonOf(failure)})` : ''}.`
  if (asksForInput(error)) return 'The server wants to ask a person for input, which it cannot do here.'
  if (failure instanceof Error) return `The server cannot be reached (${reasonOf(failure)}).`
  if (failure !== undefined) return `The server answers with status ${failure}.`
  return `The server's answer cannot be used: ${textOf(error)}`
}

const isTimeout = (error: unknown): boolean =>
  error instanceof TooLateError || (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout)

const asksForInput = (error: unknown): boolean =>
  error instanceof Error && /input_required|elicitation|sampling|roots/i.test(error.message)

/** Text of an error, shortened: the other side decides how long it is. */
export const textOf = (error: unknown, longest = LONGEST): string =>
  String((error as Error | undefined)?.message ?? error).slice(0, longest)

/** Words that visitors may see: of a network's error its code, because its text names addresses; else our own. */
function reasonOf(error: Error): string {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } }
  return [code, cause?.code].find((value) => typeof value === 'string') ?? textOf(error)
}
