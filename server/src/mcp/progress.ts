import type { RunReader } from '../chats/runs/run.ts'

/** How often the growth of an answer is told. */
const TEXT_EVERY_MS = 1000

interface Frame {
  type: string
  subtype: string | null
  text: string
  sequence_number: number
  data: { tool_name?: string; preview?: { title: string; status: string } | null } | null
}

/** Reads a run's events and tells in words what is new: tools at once, the growing text now and then. */
export function progressReader(tell: (progress: number, message: string) => void): RunReader {
  let characters = 0
  let toldAt = 0
  return {
    write(chunk) {
      for (const line of chunk.split('\n')) {
        if (!line.startsWith('data: {')) continue
        const frame = JSON.parse(line.slice('data: '.length)) as Frame
        if (frame.type === 'response') characters += frame.text.length
        const message = inWords(frame, characters)
        if (!message) continue
        const isSlow = frame.type === 'response' || frame.type === 'reasoning'
        if (isSlow && performance.now() - toldAt < TEXT_EVERY_MS) continue
        toldAt = performance.now()
        tell(frame.sequence_number + 1, message)
      }
    },
    end() {},
  }
}

/** What an event means to somebody who waits; also a ping says that the run lives. */
function inWords({ type, subtype, data }: Frame, characters: number): string | undefined {
  if (type === 'ping') return 'Working'
  if (type === 'reasoning') return 'Thinking'
  if (type === 'response') return `Answering (${characters} characters)`
  if (type !== 'live_update' || !data) return undefined
  if (subtype === 'tool_call_start') return `Using ${data.tool_name}`
  return data.preview ? `${data.preview.title}${data.preview.status === 'error' ? ' (failed)' : ''}` : undefined
}
