import { passCodeSpan } from './code-span.ts'
import { judgeAuthority, judgeDestination, type Verdict } from './destination.ts'
import { entityAt, OPEN_ENTITY } from './entities.ts'
import { FencedCode } from './fenced-code.ts'
import { HeldText } from './held-text.ts'
import { InertUrl, type UrlPlace } from './inert-url.ts'
import type { IsNamed } from './named-hosts.ts'
import {
  EMAIL_LINK,
  LONGEST_HOST,
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
 * Works on a stream: what comes out, joined, does not depend on how the text was cut. It holds back only what may be
 * the beginning of a link, at most some 2,000 characters of code in backticks. Code stays as it is where every renderer
 * sees it as code; where that is in doubt, URLs in it become inert, too.
 */
export class InertLinks {
  readonly #isNamed: IsNamed
  readonly #text = new HeldText()
  readonly #code = new FencedCode(this.#text)
  /** URL in the middle of which the text is, that is made inert. */
  #inert: InertUrl | undefined

  constructor(isNamed: IsNamed) {
    this.#isNamed = isNamed
  }

  /** Takes a piece of Markdown, and gives what can be said of it and of what was held back before. */
  push(text: string): string {
    if (this.#text.held === '' && !this.#text.isCode && !this.#inert) {
      if (PLAIN.test(text)) return this.#text.passPlain(text)
      if (nextTrigger(text, this.#text.place.tail) === -1) return this.#text.passWhole(text)
    }
    this.#text.held += text
    return this.#drain(false)
  }

  /**
   * Gives what is still held back: a reply of the model is over. A block of code that it left open ends here, because
   * some renderers take one without an end for text. More may follow.
   */
  flush(): string {
    return this.#drain(true)
  }

  #drain(isEnd: boolean): string {
    for (let before = '', now = this.#state(); this.#text.held !== '' && now !== before; now = this.#state()) {
      before = now
      if (this.#text.isCode) this.#code.pass()
      else if (this.#inert) this.#passInert(this.#inert)
      else this.#passText(isEnd)
    }
    if (isEnd && this.#inert) this.#endInert()
    if (isEnd && this.#text.isCode) this.#code.end()
    return this.#text.take()
  }

  #state() {
    return `${this.#text.isCode} ${this.#inert !== undefined} ${this.#text.held.length}`
  }

  #passText(isEnd: boolean): void {
    const at = nextTrigger(this.#text.held, this.#text.place.tail)
    const isAfterBracket = this.#text.place.tail.endsWith(']') && /^[(:]/.test(this.#text.held)
    if (at !== 0 && !isAfterBracket) {
      this.#text.pass(at === -1 ? this.#text.held.length : at)
      return
    }
    const taken = isAfterBracket ? this.#passDestination(isEnd) : this.#passTrigger(isEnd)
    if (!taken && isEnd) this.#text.passUnsure(1)
  }

  /** @returns whether it could be decided, and was. */
  #passTrigger(isEnd: boolean): boolean {
    switch (this.#text.held[0]) {
      case '`':
      case '~':
        return (
          this.#code.begin(isEnd) ?? (this.#text.held[0] === '`' ? passCodeSpan(this.#text, isEnd) : this.#passOne())
        )
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
    this.#text.passUnsure(1)
    return true
  }

  #passEntity(isEnd: boolean): boolean {
    const entity = entityAt(this.#text.held)
    if (!entity && OPEN_ENTITY.test(this.#text.held) && !isEnd) return false
    if (!entity?.plain) return this.#passOne()
    // Written out, it must not begin a tag.
    if (this.#text.place.tail.endsWith('<')) this.#text.say('\u200b')
    this.#text.held = entity.plain + this.#text.held.slice(entity.length)
    return true
  }

  #passScheme(isEnd: boolean): boolean {
    const [start, mark] = /^(?:https?(\\?:\\?\/\\?\/)|www\.)/i.exec(this.#text.held) ?? []
    if (start === undefined) {
      if (!isEnd && (OPEN_SCHEME.test(this.#text.held) || OPEN_WWW.test(this.#text.held))) return false
      return this.#passOne()
    }
    const isEscaped = mark?.includes('\\') ?? false
    const rest = this.#text.held.slice(start.length)
    if (isEscaped) return this.#startInert(0, '')
    const verdict = judgeAuthority(rest, mark ? this.#isNamed : (host) => this.#isNamed(`www.${host}`), isEnd)
    return this.#carryOut(verdict, start.length)
  }

  /** `//host` by itself, or after a scheme that is neither http nor https. */
  #passSlashes(isEnd: boolean): boolean {
    if (/^\/\/?$/.test(this.#text.held) && !isEnd) return false
    if (!this.#text.held.startsWith('//')) return this.#passOne()
    const hasScheme = /[a-z][a-z\d+.-]*\\?:\\?$/i.test(this.#text.place.tail)
    if (hasScheme) {
      if (/^\/\/[^\s]/.test(this.#text.held) && !/^\/\/[`'")\]}*_,;|]/.test(this.#text.held))
        return this.#startInert(0, '')
      this.#text.pass(2)
      return true
    }
    const [host = ''] = /^\/\/([\p{L}\p{N}\p{M}._-]*)/u.exec(this.#text.held)?.slice(1) ?? []
    if (2 + host.length === this.#text.held.length && !isEnd && host.length < LONGEST_HOST) return false
    if (/[\p{L}\p{N}/]$/u.test(this.#text.place.tail) || !/^[^.].*\.[^.]/.test(host.slice(0, LONGEST_HOST))) {
      this.#text.pass(2)
      return true
    }
    return this.#carryOut(judgeAuthority(this.#text.held.slice(2), this.#isNamed, isEnd), 2)
  }

  #passXmpp(isEnd: boolean): boolean {
    if (this.#text.held === ':' && !isEnd) return false
    if (/^:(?:\s|$)/.test(this.#text.held)) this.#text.pass(1)
    else this.#text.replace(1, '[:]')
    return true
  }

  #carryOut(verdict: Verdict, before: number): boolean {
    if (verdict === 'more') return false
    if (verdict === 'inert') return this.#startInert(0, '')
    if (verdict === 'text') this.#text.pass(before)
    else {
      this.#text.pass(before + verdict.keep)
      this.#text.place.beginUrl()
    }
    return true
  }

  #passTag(isEnd: boolean): boolean {
    if (this.#text.held === '<' && !isEnd) return false
    if (!/^<[a-z/!?]/i.test(this.#text.held)) return this.#passOne()
    const [start] = /^<[a-z][a-z\d+.-]{1,31}:/i.exec(this.#text.held) ?? []
    if (start !== undefined) {
      const verdict = judgeDestination(this.#text.held.slice(1), this.#isNamed, isEnd)
      if (verdict === 'more') return false
      if (verdict === 'inert') return this.#startInert(1, '', { isAngle: true })
      if (verdict !== 'text' && /^<(?:https?|mailto|tel):/i.test(start)) {
        this.#text.pass(1 + verdict.keep)
        this.#text.place.beginUrl()
        return true
      }
    } else if (/^<[^\s<>]*\s*\/?$/.test(this.#text.held) && this.#text.held.length < LONGEST_TAG && !isEnd) return false
    // At the beginning of a line, or of a footnote, it would make all that follows HTML.
    const isWithinLine = this.#text.place.head === undefined && !/\]:\s*$/.test(this.#text.place.tail)
    const [plain] = (isWithinLine && PLAIN_TAG.exec(this.#text.held)) || EMAIL_LINK.exec(this.#text.held) || []
    if (plain !== undefined && plain.length <= LONGEST_TAG) this.#text.pass(plain.length)
    else this.#text.replace(1, '<\u200b')
    return true
  }

  /** Reads the text after `](` or `]:`. */
  #passDestination(isEnd: boolean): boolean {
    const isDefinition = this.#text.held[0] === ':'
    const [start = ''] = /^[(:][ \t]{0,80}(?:\r?\n[ \t]{0,80})?/.exec(this.#text.held) ?? []
    const rest = this.#text.held.slice(start.length)
    if (start.length >= LONGEST_TAG) {
      // So far from its label that it must not be an address.
      this.#text.replace(1, isDefinition ? ' :' : ' (')
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
    this.#text.pass(isUrl ? start.length + (isAngle ? 1 : 0) + verdict.keep : start.length)
    this.#text.place.beginLink()
    return true
  }

  #startInert(skip: number, before: string, place?: UrlPlace): boolean {
    // A backtick before ours would make one mark of both, a backslash would escape ours, a URL would continue in it.
    const needsSpace = before === '' && (/[`\\]/.test(this.#text.lastSaid) || this.#text.place.isInUrl)
    if (this.#text.place.isInUrl) this.#text.place.doubt()
    this.#text.replace(skip, `${before}${needsSpace ? ' ' : ''}\``)
    const url = new InertUrl(this.#text.held, place)
    this.#inert = url
    this.#text.replace(url.scheme.given.length, url.scheme.shown)
    return true
  }

  #passInert(url: InertUrl): void {
    const end = url.findEnd(this.#text.held)
    const piece = end === -1 ? this.#text.held : this.#text.held.slice(0, end)
    this.#text.replace(piece.length, url.show(piece, this.#text.place.tail))
    if (end === -1) return
    this.#endInert()
    if (url.isAngle && this.#text.held[0] === '>') this.#text.replace(1, '')
  }

  #endInert(): void {
    this.#text.sayClosingTick()
    this.#inert = undefined
  }
}
