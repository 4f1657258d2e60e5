import type { EventReader, StreamEvent } from '../chats/chats.ts'

/** Least time between two reports of the growth of an answer. */
const TEXT_EVERY_MS = 1000

/** Reads a run's events and tells in words what is new: tools at once, the growing text now and then. */
export function progressReader(tell: (progress: number, message: string) => void): EventReader {
  let characters = 0
  let sentAt = 0
  return {
    write({ events }) {
      for (const event of events) {
        if (event.type === 'response') characters += event.text.length
        const message = inWords(event, characters)
        if (!message) continue
        const isSlow = event.type === 'response' || event.type === 'reasoning'
        if (isSlow && performance.now() - sentAt < TEXT_EVERY_MS) continue
        sentAt = performance.now()
        tell(event.sequence_number + 1, message)
      }
    },
    end() {},
  }
}

/** Words for an event, for somebody who waits; a ping too says that the run lives. */
function inWords(event: StreamEvent, characters: number): string | undefined {
  switch (event.type) {
    case 'ping':
      return 'Working'
    case 'reasoning':
      return 'Thinking'
    case 'response':
      return `Answering (${characters} characters)`
    case 'live_update': {
      const { tool_name, preview } = event.data
      if (event.subtype === 'tool_call_start') return `Using ${tool_name}`
      return preview ? `${preview.title}${preview.status === 'error' ? ' (failed)' : ''}` : undefined
    }
    default:
      return undefined
  }
}
