import type { ServerResponse } from 'node:http'
import type { EventReader, StreamEvent } from '../chats/chats.ts'
import type { EventStream } from '../platform/http/replies/event-stream.ts'
import type { Answered, Begun } from './asking.ts'
import type { OpenAiError } from './openai-errors.ts'

/** Writes the events of an answer as text of one of the two APIs. Each part may be empty. */
export interface AnswerWriter {
  begin(begun: Begun): string
  write(events: readonly StreamEvent[]): string
  end(answered: Answered): string
  fail(error: OpenAiError): string
}

export interface AnswerReaderOptions {
  writer: AnswerWriter
  /** Reads the answer once it is stored. @throws why the run failed */
  finish(): Promise<Answered>
  toError(error: unknown): OpenAiError
}

export interface AnswerReader extends EventReader {
  /** Whether the answer came to its end, and not only its reader. */
  hasEnded(): boolean
}

/** Sends an answer to a socket, as its events come; what only the stored message knows comes last. */
export function answerReader(stream: EventStream, { writer, finish, toError }: AnswerReaderOptions): AnswerReader {
  let hasEnded = false
  const send = (text: string) => text && stream.write(text)
  return {
    write({ events }) {
      send(writer.write(events))
    },
    hasEnded: () => hasEnded,
    end() {
      hasEnded = true
      finish()
        .then(
          (answered) => send(writer.end(answered)),
          (error) => send(writer.fail(toError(error))),
        )
        .finally(() => stream.end())
        .catch(() => stream.end())
    },
  }
}

/** Calls back once if the client leaves before the answer has ended. @returns ends the watch */
export function watchClient(response: ServerResponse, onLeft: () => void): () => void {
  response.once('close', onLeft)
  if (response.destroyed) onLeft()
  return () => response.off('close', onLeft)
}
