import type { StoredAnswer } from '../asking.ts'
import { ResponseWriter } from './response-stream.ts'

/** Response of a stored answer: the one that a client got, or would get, who waited for it. */
export function toStoredResponse({ answered, events, status, errorMessage, model }: StoredAnswer) {
  const writer = new ResponseWriter({ model, input: '' })
  writer.begin(answered.begun)
  writer.write(events)
  if (status === 'completed') writer.end(answered)
  if (status === 'failed') writer.fail({ message: errorMessage ?? '' })
  if (status === 'cancelled') writer.cancel()
  return writer.response()
}
