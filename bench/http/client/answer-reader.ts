const DONE = 'data: [DONE]'

/**
 * Reads the events of a streamed answer from its bytes, and checks that it ends as the contract says.
 * @param onText gets the text of each `response` event
 */
export function createAnswerReader(onText: (text: string) => void) {
  let held = ''
  let isDone = false

  function take(frame: string): void {
    if (isDone) throw new Error(`an event after the end: ${frame}`)
    if (frame === DONE) {
      isDone = true
      return
    }
    if (!frame.startsWith('data: ')) throw new Error(`no event: ${frame}`)
    const { type, text } = JSON.parse(frame.slice('data: '.length)) as { type: string; text: string }
    if (type === 'response') onText(text)
    else if (type === 'error') throw new Error(`the answer failed: ${text}`)
  }

  return {
    // The scripted words are ASCII, so any cut between bytes is one between characters.
    read(chunk: Buffer): void {
      const frames = (held + chunk.toString('latin1')).split('\n\n')
      held = frames.pop()!
      for (const frame of frames) take(frame)
    },
    /** @throws if the stream stopped before its end. */
    finish(): void {
      if (!isDone || held) throw new Error('the stream was cut off')
    },
  }
}
