import { readHead } from './code-lines.ts'
import { judgeAuthority, judgeDestination, type Verdict } from './destination.ts'
import { entityAt, OPEN_ENTITY } from './entities.ts'
import { closes, closingLine, type Fence, isInside } from './fences.ts'
import { InertUrl, type UrlPlace } from './inert-url.ts'
import type { IsNamed } from './named-hosts.ts'
import { createPlace } from './place.ts'
import {
  CODE_LINE,
  EMAIL_LINK,
  LONGEST_CODE,
  LONGEST_HOST,
  LONGEST_INFO,
  LONGEST_RUN,
  LONGEST_TAG,
  nextTrigger,
  OPEN_SCHEME,
  OPEN_WWW,
  PLAIN,
  PLAIN_TAG,
} from './triggers.ts'

/**
 * Makes links and images inert whose host nobody named who may: what is a link to some renderer of Markdown becomes
 * text that none of them fetches or makes clickable, and that a person can still read.
 *
 *     [report](https://evil.example/?q=1)   [report] (`hxxps://evil[.]example/?q=1`)
 *     <img src="//evil.example/x">          <img src="`//evil[.]example/x`">      (with an invisible mark after the <)
 *
 * Works on a stream: what comes out, joined, does not depend on how the text was cut. Held back is only what may be
 * the beginning of a link, at most some 2,000 characters of code in backticks. Code stays as it is where every renderer
 * sees it as code; where that is in doubt, URLs in it become inert, too.
 */
export class InertLinks {
  readonly #isNamed: IsNamed
  #held = ''
  #output = ''
  #lastSaid = ''
  /** Whether the last that was said is a backtick of our own. */
  #isAfterTick = false
  #mode: 'text' | 'fence' | 'inert' = 'text'
  readonly #place = createPlace()
  #fence: Fence | undefined
  #fenceLine = ''
  #inert: InertUrl | undefined

  constructor(isNamed: IsNamed) {
    this.#isNamed = isNamed
  }

  /** Takes a piece of Markdown, and gives what can be said of it and of what was held back before. */
  push(text: string): string {
    if (this.#held === '' && this.#mode === 'text' && PLAIN.test(text)) {
      this.#isAfterTick = false
      this.#lastSaid = text.at(-1)!
      this.#place.read(text)
      return text
    }
    if (this.#held === '' && this.#mode === 'text' && nextTrigger(text, this.#place.tail) === -1) {
      this.#say(text)
      this.#read(text)
      return this.#said()
    }
    this.#held += text
    return this.#drain(false)
  }

  /**
   * Gives what is still held back: a turn of the model is over. A block of code that it left open ends here, because
   * some renderers take one without an end for text. More may follow.
   */
  flush(): string {
    return this.#drain(true)
  }

  #drain(isEnd: boolean): string {
    for (let before = '', now = this.#state(); this.#held !== '' && now !== before; now = this.#state()) {
      before = now
      if (this.#mode === 'fence') this.#passFence()
      else if (this.#mode === 'inert') this.#passInert()
      else this.#passText(isEnd)
    }
    if (isEnd && this.#mode === 'inert') this.#endInert()
    if (isEnd && this.#mode === 'fence') this.#endFence()
    return this.#said()
  }

  #said(): string {
    const text = this.#output
    this.#output = ''
    return text
  }

  #state() {
    return `${this.#mode} ${this.#held.length}`
  }

  // ---- what was read, and what is said
  #read(text: string): void {
    if (this.#mode === 'fence') this.#place.readCode(text)
    else this.#place.read(text)
  }

  #say(text: string): void {
    if (text === '') return
    // Two backticks side by side would be another mark.
    if (this.#isAfterTick && text.startsWith('`')) this.#output += ' '
    this.#isAfterTick = false
    this.#output += text
    this.#lastSaid = text.at(-1)!
  }

  /** Takes so many characters as they are. */
  #pass(length: number): void {
    const text = this.#held.slice(0, length)
    this.#held = this.#held.slice(length)
    this.#say(text)
    this.#read(text)
  }

  /** Takes so many characters and says others in their place. */
  #replace(length: number, by: string): void {
    this.#read(this.#held.slice(0, length))
    this.#held = this.#held.slice(length)
    this.#say(by)
  }

  /** Takes text that may hold backticks which begin no code. */
  #passUnsure(length: number): void {
    if (this.#held.slice(0, length).includes('`')) this.#place.doubt()
    this.#pass(length)
  }

  // ---- text
  #passText(isEnd: boolean): void {
    const at = nextTrigger(this.#held, this.#place.tail)
    const isAfterBracket = this.#place.tail.endsWith(']') && /^[(:]/.test(this.#held)
    if (at !== 0 && !isAfterBracket) {
      this.#pass(at === -1 ? this.#held.length : at)
      return
    }
    const taken = isAfterBracket ? this.#passDestination(isEnd) : this.#passTrigger(isEnd)
    if (!taken && isEnd) this.#passUnsure(1)
  }

  /** @returns whether it could be decided, and was. */
  #passTrigger(isEnd: boolean): boolean {
    switch (this.#held[0]) {
      case '`':
      case '~':
        return this.#passFenceStart(isEnd) ?? (this.#held[0] === '`' ? this.#passCode(isEnd) : this.#passOne())
      case '&':
        return this.#passEntity(isEnd)
      case '<':
        return this.#passTag(isEnd)
      case '/':
        return this.#passSlashes(isEnd)
      case ':':
        return this.#passXmpp(isEnd)
      default:
        return this.#passScheme(isEnd)
    }
  }

  #passOne(): boolean {
    this.#passUnsure(1)
    return true
  }

  #passEntity(isEnd: boolean): boolean {
    const entity = entityAt(this.#held)
    if (!entity && OPEN_ENTITY.test(this.#held) && !isEnd) return false
    if (!entity?.plain) return this.#passOne()
    // Written out, it must not begin a tag.
    if (this.#place.tail.endsWith('<')) this.#say('\u200b')
    this.#held = entity.plain + this.#held.slice(entity.length)
    return true
  }

  #passScheme(isEnd: boolean): boolean {
    const [start, mark] = /^(?:https?(\\?:\\?\/\\?\/)|www\.)/i.exec(this.#held) ?? []
    if (start === undefined) {
      if (!isEnd && (OPEN_SCHEME.test(this.#held) || OPEN_WWW.test(this.#held))) return false
      return this.#passOne()
    }
    const isEscaped = mark?.includes('\\') ?? false
    const rest = this.#held.slice(start.length)
    if (isEscaped) return this.#startInert(0, '')
    const verdict = judgeAuthority(rest, mark ? this.#isNamed : (host) => this.#isNamed(`www.${host}`), isEnd)
    return this.#carryOut(verdict, start.length)
  }

  /** `//host` by itself, or after a scheme that is neither http nor https. */
  #passSlashes(isEnd: boolean): boolean {
    if (/^\/\/?$/.test(this.#held) && !isEnd) return false
    if (!this.#held.startsWith('//')) return this.#passOne()
    const hasScheme = /[a-z][a-z\d+.-]*\\?:\\?$/i.test(this.#place.tail)
    if (hasScheme) {
      if (/^\/\/[^\s]/.test(this.#held) && !/^\/\/[`'")\]}*_,;|]/.test(this.#held)) return this.#startInert(0, '')
      this.#pass(2)
      return true
    }
    const [host = ''] = /^\/\/([\p{L}\p{N}\p{M}._-]*)/u.exec(this.#held)?.slice(1) ?? []
    if (2 + host.length === this.#held.length && !isEnd && host.length < LONGEST_HOST) return false
    if (/[\p{L}\p{N}/]$/u.test(this.#place.tail) || !/^[^.].*\.[^.]/.test(host.slice(0, LONGEST_HOST))) {
      this.#pass(2)
      return true
    }
    return this.#carryOut(judgeAuthority(this.#held.slice(2), this.#isNamed, isEnd), 2)
  }

  #passXmpp(isEnd: boolean): boolean {
    if (this.#held === ':' && !isEnd) return false
    if (/^:(?:\s|$)/.test(this.#held)) this.#pass(1)
    else this.#replace(1, '[:]')
    return true
  }

  #carryOut(verdict: Verdict, before: number): boolean {
    if (verdict === 'more') return false
    if (verdict === 'inert') return this.#startInert(0, '')
    if (verdict === 'text') this.#pass(before)
    else {
      this.#pass(before + verdict.keep)
      this.#place.beginUrl()
    }
    return true
  }

  #passTag(isEnd: boolean): boolean {
    if (this.#held === '<' && !isEnd) return false
    if (!/^<[a-z/!?]/i.test(this.#held)) return this.#passOne()
    const [start] = /^<[a-z][a-z\d+.-]{1,31}:/i.exec(this.#held) ?? []
    if (start !== undefined) {
      const verdict = judgeDestination(this.#held.slice(1), this.#isNamed, isEnd)
      if (verdict === 'more') return false
      if (verdict === 'inert') return this.#startInert(1, '', { isAngle: true })
      if (verdict !== 'text' && /^<(?:https?|mailto|tel):/i.test(start)) {
        this.#pass(1 + verdict.keep)
        this.#place.beginUrl()
        return true
      }
    } else if (/^<[^\s<>]*\s*\/?$/.test(this.#held) && this.#held.length < LONGEST_TAG && !isEnd) return false
    // At the beginning of a line, or of a footnote, it would make all that follows HTML.
    const isWithinLine = this.#place.head === undefined && !/\]:\s*$/.test(this.#place.tail)
    const [plain] = (isWithinLine && PLAIN_TAG.exec(this.#held)) || EMAIL_LINK.exec(this.#held) || []
    if (plain !== undefined && plain.length <= LONGEST_TAG) this.#pass(plain.length)
    else this.#replace(1, '<\u200b')
    return true
  }

  /** Reads the text after `](` or `]:`. */
  #passDestination(isEnd: boolean): boolean {
    const isDefinition = this.#held[0] === ':'
    const [start = ''] = /^[(:][ \t]{0,80}(?:\r?\n[ \t]{0,80})?/.exec(this.#held) ?? []
    const rest = this.#held.slice(start.length)
    if (start.length >= LONGEST_TAG) {
      // So far from its label that it must not be an address.
      this.#replace(1, isDefinition ? ' :' : ' (')
      return true
    }
    if ((rest === '' || rest === '\r') && !isEnd) return false
    if (rest === '<' && !isEnd) return false
    const isAngle = rest.startsWith('<')
    const verdict = judgeDestination(isAngle ? rest.slice(1) : rest, this.#isNamed, isEnd)
    if (verdict === 'more') return false
    if (verdict === 'inert')
      return this.#startInert(start.length + (isAngle ? 1 : 0), isDefinition ? ' : ' : ' (', {
        isAngle,
        isDestination: !isDefinition,
      })
    const isUrl = verdict !== 'text' && /^https?:/i.test(isAngle ? rest.slice(1) : rest)
    this.#pass(isUrl ? start.length + (isAngle ? 1 : 0) + verdict.keep : start.length)
    this.#place.beginLink()
    return true
  }

  // ---- URLs
  #startInert(skip: number, before: string, place?: UrlPlace): boolean {
    // A backtick before ours would make one mark of both, a backslash would escape ours, a URL would continue in it.
    const needsSpace = before === '' && (/[`\\]/.test(this.#lastSaid) || this.#place.isInUrl)
    if (this.#place.isInUrl) this.#place.doubt()
    this.#replace(skip, `${before}${needsSpace ? ' ' : ''}\``)
    const url = new InertUrl(this.#held, place)
    this.#inert = url
    this.#mode = 'inert'
    this.#replace(url.scheme.given.length, url.scheme.shown)
    return true
  }

  #passInert(): void {
    const url = this.#inert!
    const end = url.findEnd(this.#held)
    const piece = end === -1 ? this.#held : this.#held.slice(0, end)
    this.#replace(piece.length, url.show(piece, this.#place.tail))
    if (end === -1) return
    this.#endInert()
    if (url.isAngle && this.#held[0] === '>') this.#replace(1, '')
  }

  #endInert(): void {
    this.#say('`')
    this.#isAfterTick = true
    this.#mode = 'text'
  }

  // ---- code

  /** @returns undefined where no fence begins. */
  #passFenceStart(isEnd: boolean): boolean | undefined {
    if (this.#place.head === undefined || this.#place.isDoubtfulForGood) return undefined
    const mark = this.#held[0] as '`' | '~'
    if (/^(?:`{1,2}|~{1,2})$/.test(this.#held) && !isEnd) return false
    const line = mark === '`' ? /^(`{3,})[^`\n]*(\n|$)/ : /^(~{3,})[^\n]*(\n|$)/
    const [whole = '', run = '', end] = line.exec(this.#held) ?? []
    if (run === '') return undefined
    if (end === '' && whole.length < LONGEST_INFO && !isEnd) return false
    const before = readHead(this.#place.head)
    // Some take the first for a table's row, others the second for the address of a definition.
    const isOther = whole.includes('|') || /\]:[ \t]*\r?\n[\s>]*$/.test(this.#place.tail)
    if (whole.length >= LONGEST_INFO || isOther || !before || !this.#place.holdsFence(before)) {
      this.#place.doubt(true)
      return undefined
    }
    this.#fence = { mark, length: run.length, indent: before.itemIndent ?? before.indent, quotes: before.quotes }
    this.#fenceLine = ''
    this.#pass(whole.length)
    this.#mode = 'fence'
    return true
  }

  #passFence(): void {
    const end = this.#held.indexOf('\n')
    const line = end === -1 ? this.#held : this.#held.slice(0, end)
    const before = this.#fenceLine
    this.#fenceLine = this.#fenceLine.length > LONGEST_INFO ? CODE_LINE : this.#fenceLine + line
    const [white = ''] = (this.#fence!.quotes > 0 ? /^[\s>]*/ : /^\s*/).exec(this.#fenceLine) ?? []
    if (white.length < this.#fenceLine.length && white.length >= before.length && !isInside(this.#fence!, white)) {
      // The quote or list item around it is over, and with it the code: but not for everyone.
      this.#pass(white.length - before.length)
      this.#leaveFence(white, true)
      return
    }
    this.#pass(end === -1 ? this.#held.length : end + 1)
    if (end === -1) return
    const isOver = this.#fence!.quotes > 0 && !isInside(this.#fence!, this.#fenceLine)
    const closed = isOver ? 'perhaps' : closes(this.#fence!, this.#fenceLine)
    this.#fenceLine = ''
    if (closed !== 'no') this.#leaveFence('', closed === 'perhaps')
  }

  /** Ends the code with a line that nobody takes for more of it, unless it just had one. */
  #endFence(): void {
    const closed = closes(this.#fence!, this.#fenceLine)
    if (closed !== 'yes') this.#say((this.#lastSaid === '\n' ? '' : '\n') + closingLine(this.#fence!))
    this.#fenceLine = ''
    this.#leaveFence('', closed === 'perhaps')
  }

  #leaveFence(lineBegins: string, isInDoubt: boolean): void {
    this.#mode = 'text'
    this.#fence = undefined
    this.#place.endCode(lineBegins)
    if (isInDoubt) this.#place.doubt(true)
  }

  /** Code within a line. */
  #passCode(isEnd: boolean): boolean {
    const [run] = /^`+/.exec(this.#held)!
    if (run.length === this.#held.length && run.length <= LONGEST_RUN && !isEnd) return false
    const isEscaped = /(?:^|[^\\])(?:\\\\)*\\$/.test(this.#place.tail)
    if (this.#place.isDoubtful || isEscaped || run.length > LONGEST_RUN) {
      this.#passUnsure(run.length)
      return true
    }
    const end = this.#held.indexOf('\n')
    const line = end === -1 ? this.#held : this.#held.slice(0, end)
    for (const { 0: closing, index } of line.slice(0, LONGEST_CODE).matchAll(/`+/g)) {
      if (index === 0 || closing.length !== run.length || index + closing.length >= LONGEST_CODE) continue
      // The run of backticks may continue in the next piece.
      if (index + closing.length === this.#held.length && !isEnd) break
      const code = line.slice(run.length, index)
      // A table's cell ends in the middle of it, or it is the label of a definition: not code for everyone.
      if (/\||\]:/.test(code)) this.#passUnsure(run.length)
      else this.#pass(index + closing.length)
      return true
    }
    if (end === -1 && !isEnd && this.#held.length < LONGEST_CODE) return false
    this.#passUnsure(run.length)
    return true
  }
}
