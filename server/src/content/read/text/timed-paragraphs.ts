import type { Block, Location } from '../parsed-document.ts'

/** A paragraph ends with a sentence from this length on, and at twice of it in any case. */
const LONG_CHARS = 500
const sentenceEnd = /[.!?…。！？]["'”’)]?$/

export interface Spoken {
  /** Time at which it begins, as it is shown. */
  heading: string
  /** Seconds. */
  start: number
  end: number
  /** Line of the file, for one that has lines. */
  line?: number
}

/** Makes paragraphs of what is said one after the other, each below the time at which it begins. */
export class TimedParagraphs {
  #words: string[] = []
  #chars = 0
  #heading = ''
  #location: Location = {}

  /** Words that were added last, until their paragraph ends. */
  get last(): string | undefined {
    return this.#words.at(-1)
  }

  *add(text: string, { heading, start, end, line }: Spoken): Generator<Block> {
    if (this.#words.length === 0) {
      this.#heading = heading
      this.#location = { time_start: Math.floor(start), ...(line && { line_start: line, line_end: line }) }
    }
    this.#location.time_end = Math.ceil(end)
    if (line) this.#location.line_end = line
    this.#words.push(text)
    this.#chars += text.length
    if (this.#chars >= 2 * LONG_CHARS || (this.#chars >= LONG_CHARS && sentenceEnd.test(text))) yield* this.finish()
  }

  *finish(): Generator<Block> {
    if (this.#words.length === 0) return
    yield { kind: 'heading', level: 1, text: this.#heading, location: this.#location }
    yield { kind: 'paragraph', text: this.#words.join(' '), location: this.#location }
    this.#words = []
    this.#chars = 0
  }
}

/** `2:05` or `1:02:05` of seconds. */
export function clockTime(seconds: number): string {
  const whole = Math.floor(seconds)
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  const two = (part: number) => String(part).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}
