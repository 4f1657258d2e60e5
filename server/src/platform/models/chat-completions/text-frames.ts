/** A server whose chunks differ in more than their text is not tried for longer. */
const MOST_LEARNT = 4
/** Text that needs no escapes in a JSON string. */
const PLAIN = /^[^"\\\p{Cc}]+$/u
const FIELDS = ['"content":"', '"content": "']
const PROBE = '?'

/**
 * The chunks of an answer differ in their piece of text, and usually in nothing else. What is around it is learnt
 * from one that was parsed; where the next ones have the same around plain text, that is cut out without parsing.
 * @param textOf the text of a parsed chunk that holds nothing else that counts; undefined for all others
 */
export function createTextFrames(textOf: (chunk: unknown) => string | undefined) {
  let before = ''
  let after = ''
  let learnt = 0
  /** The texts as they are in a stream. */
  let eventBegin = ''
  let eventEnd = ''

  return {
    /**
     * Takes the event that begins at this place of a stream, if it is one like those learnt, without cutting it out.
     * @returns the place after it; the same place for any other, of which nothing is taken
     */
    takeAt(stream: string, from: number, onText: (text: string) => void): number {
      if (before === '' || !stream.startsWith(eventBegin, from)) return from
      const start = from + eventBegin.length
      // The rest after the text begins with the quote that ends it.
      const end = stream.indexOf('"', start)
      if (end === -1 || !stream.startsWith(eventEnd, end)) return from
      const text = stream.slice(start, end)
      if (!PLAIN.test(text)) return from
      onText(text)
      return end + eventEnd.length
    },

    /** @returns undefined for data that must be parsed. */
    textIn(data: string): string | undefined {
      if (before === '' || !data.startsWith(before) || !data.endsWith(after)) return undefined
      const text = data.slice(before.length, data.length - after.length)
      return PLAIN.test(text) ? text : undefined
    },

    learn(data: string, chunk: unknown): void {
      const text = textOf(chunk)
      if (text === undefined || learnt >= MOST_LEARNT || !PLAIN.test(text)) return
      learnt++
      const field = FIELDS.find((start) => data.includes(`${start}${text}"`))
      if (field === undefined) return
      const start = data.indexOf(`${field}${text}"`) + field.length
      const around = [data.slice(0, start), data.slice(start + text.length)] as const
      // There may be a second text, of no interest: this one is the answer's if another in its place is the answer.
      if (textOf(JSON.parse(around.join(PROBE))) !== PROBE) return
      ;[before, after] = around
      eventBegin = `data: ${before}`
      eventEnd = `${after}\n\n`
    },
  }
}
