import { readHead } from './code-lines.ts'
import { closes, closingLine, type Fence, isInside } from './fences.ts'
import type { HeldText } from './held-text.ts'
import { CODE_LINE, LONGEST_INFO } from './triggers.ts'

/** Block of code between fences, which every renderer sees as code. */
export class FencedCode {
  readonly #text: HeldText
  #fence: Fence | undefined
  #line = ''

  constructor(text: HeldText) {
    this.#text = text
  }

  /** Begins code where a fence stands. @returns undefined where none does, false where more must come to tell. */
  begin(isEnd: boolean): boolean | undefined {
    if (this.#text.place.head === undefined || this.#text.place.isDoubtfulForGood) return undefined
    const mark = this.#text.held[0] as '`' | '~'
    if (/^(?:`{1,2}|~{1,2})$/.test(this.#text.held) && !isEnd) return false
    const line = mark === '`' ? /^(`{3,})[^`\n]*(\n|$)/ : /^(~{3,})[^\n]*(\n|$)/
    const [whole = '', run = '', end] = line.exec(this.#text.held) ?? []
    if (run === '') return undefined
    if (end === '' && whole.length < LONGEST_INFO && !isEnd) return false
    const before = readHead(this.#text.place.head)
    // Some take the first for a table's row, others the second for the address of a definition.
    const isOther = whole.includes('|') || /\]:[ \t]*\r?\n[\s>]*$/.test(this.#text.place.tail)
    if (whole.length >= LONGEST_INFO || isOther || !before || !this.#text.place.holdsFence(before)) {
      this.#text.place.doubt(true)
      return undefined
    }
    this.#fence = { mark, length: run.length, indent: before.itemIndent ?? before.indent, quotes: before.quotes }
    this.#line = ''
    this.#text.pass(whole.length)
    this.#text.isCode = true
    return true
  }

  /** Takes the code that came, and its end if that came, too. */
  pass(): void {
    const end = this.#text.held.indexOf('\n')
    const line = end === -1 ? this.#text.held : this.#text.held.slice(0, end)
    const before = this.#line
    this.#line = this.#line.length > LONGEST_INFO ? CODE_LINE : this.#line + line
    const [white = ''] = (this.#fence!.quotes > 0 ? /^[\s>]*/ : /^\s*/).exec(this.#line) ?? []
    if (white.length < this.#line.length && white.length >= before.length && !isInside(this.#fence!, white)) {
      // The quote or list item around it is over, and with it the code: but not for everyone.
      this.#text.pass(white.length - before.length)
      this.#leave(white, true)
      return
    }
    this.#text.pass(end === -1 ? this.#text.held.length : end + 1)
    if (end === -1) return
    const isOver = this.#fence!.quotes > 0 && !isInside(this.#fence!, this.#line)
    const closed = isOver ? 'perhaps' : closes(this.#fence!, this.#line)
    this.#line = ''
    if (closed !== 'no') this.#leave('', closed === 'perhaps')
  }

  /** Ends the code with a line that nobody takes for more of it, unless it just had one. */
  end(): void {
    const closed = closes(this.#fence!, this.#line)
    if (closed !== 'yes') this.#text.say((this.#text.lastSaid === '\n' ? '' : '\n') + closingLine(this.#fence!))
    this.#line = ''
    this.#leave('', closed === 'perhaps')
  }

  #leave(lineBegins: string, isInDoubt: boolean): void {
    this.#text.isCode = false
    this.#fence = undefined
    this.#text.place.endCode(lineBegins)
    if (isInDoubt) this.#text.place.doubt(true)
  }
}
