import { OutboundTimeoutError } from './outbound.ts'
import { OutboundNotAllowedError } from './outbound-guard.ts'

/** Reason why a host gave no answer, for a person or a model: a clause without its full stop. */
export function whyNoAnswer(host: string, error: unknown, timeoutMs: number): string {
  if (error instanceof OutboundNotAllowedError) return error.message
  if (error instanceof OutboundTimeoutError) return `${host} took longer than ${timeoutMs / 1000} s`
  const { code } = error as NodeJS.ErrnoException
  return `${host} could not be reached${code ? ` (${code})` : ''}`
}
