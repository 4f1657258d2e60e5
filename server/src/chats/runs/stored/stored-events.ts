import { EventBatch, type Readable } from '../../events/event-batch.ts'
import type { StreamEvent } from '../../events/events.schemas.ts'
import type { MessageRecord } from '../../messages/messages.store.ts'
import { type LogEntry, replay } from '../run-log.ts'

/** @param log of the message, as far as its reader may see it */
export const storedEvents = (message: MessageRecord, log = logOf(message)): Readable => ({
  read(reader, after = -1) {
    const events = eventsOf(message, log, after)
    if (events.length > 0) reader.write(new EventBatch(events))
    reader.end()
    return () => {}
  },
})

/** Events that a stored log tells, after one of them (by default all). */
export const eventsOf = (
  { id: messageId, response, reasoning }: MessageRecord,
  log: readonly LogEntry[],
  after = -1,
): StreamEvent[] => replay(log, { messageId, response, reasoning }, after)

/** Stored log of a message; one whose process died early may have none: it is made from its texts. */
export function logOf(message: MessageRecord): LogEntry[] {
  const stored = JSON.parse(message.events) as LogEntry[]
  if (stored.length > 0) return stored
  const log: LogEntry[] = [{ type: 'metadata', seq: 0 }]
  if (message.reasoning) {
    log.push({ type: 'reasoning', seq: log.length, lengths: [message.reasoning.length] })
    log.push({ type: 'end_reasoning', seq: log.length })
  }
  if (message.response) log.push({ type: 'response', seq: log.length, lengths: [message.response.length] })
  if (message.status === 'completed')
    log.push({ type: 'error', seq: log.length, text: message.errorMessage ?? 'interrupted' })
  return log
}
