import type { StreamEvent } from './events.schemas.ts'

/** Writes events as Server-Sent Events: for each a line `data: JSON`, then a blank line. */
export function toSse(events: readonly StreamEvent[]): string {
  let text = ''
  for (const event of events) text += `data: ${toJson(event)}\n\n`
  return text
}

/** Does the same with an `id:` line before each event, so that a browser's EventSource resumes by itself. */
export function toSseWithIds(events: readonly StreamEvent[]): string {
  let text = ''
  for (const event of events) text += `id: ${event.sequence_number}\ndata: ${toJson(event)}\n\n`
  return text
}

/** Writes the fields in the contract's order, from any source of events. */
function toJson(event: StreamEvent): string {
  const { type, subtype, text, extended_text, data, sequence_number } = event
  // Most events of a stream are these.
  if (type === 'response' || type === 'reasoning')
    return `{"type":"${type}","subtype":null,"text":${JSON.stringify(text)},"extended_text":null,"data":null,"sequence_number":${sequence_number}}`
  const elapsed = 'elapsed_ms' in event && { elapsed_ms: event.elapsed_ms }
  return JSON.stringify({ type, subtype, text, extended_text, data, ...elapsed, sequence_number })
}
