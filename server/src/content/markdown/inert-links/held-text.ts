import { createPlace } from './place.ts'

/** Text that came and is not passed on yet, with what was made of the text before it. */
export class HeldText {
  held = ''
  /** Whether the text that comes is code in a fence. */
  isCode = false
  lastSaid = ''
  readonly place = createPlace()
  #output = ''
  /** Whether the last that was said is a backtick of our own. */
  #isAfterTick = false

  /** Gives what was said since it was last asked. */
  take(): string {
    const text = this.#output
    this.#output = ''
    return text
  }

  /** Takes text that holds nothing to look at, where nothing is held back. */
  passPlain(text: string): string {
    this.#isAfterTick = false
    this.lastSaid = text.at(-1)!
    this.place.read(text)
    return text
  }

  /** Takes all of a text, where nothing is held back. */
  passWhole(text: string): string {
    this.say(text)
    this.#read(text)
    return this.take()
  }

  say(text: string): void {
    if (text === '') return
    // Two backticks side by side would be another mark.
    if (this.#isAfterTick && text.startsWith('`')) this.#output += ' '
    this.#isAfterTick = false
    this.#output += text
    this.lastSaid = text.at(-1)!
  }

  /** Says the backtick that ends an inert URL. */
  sayClosingTick(): void {
    this.say('`')
    this.#isAfterTick = true
  }

  /** Takes this many characters as they are. */
  pass(length: number): void {
    const text = this.held.slice(0, length)
    this.held = this.held.slice(length)
    this.say(text)
    this.#read(text)
  }

  /** Takes this many characters and says others in their place. */
  replace(length: number, by: string): void {
    this.#read(this.held.slice(0, length))
    this.held = this.held.slice(length)
    this.say(by)
  }

  /** Takes text that may hold backticks which begin no code. */
  passUnsure(length: number): void {
    if (this.held.slice(0, length).includes('`')) this.place.doubt()
    this.pass(length)
  }

  #read(text: string): void {
    if (this.isCode) this.place.readCode(text)
    else this.place.read(text)
  }
}
