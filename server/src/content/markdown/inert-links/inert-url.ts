/** Place of a URL: between `<` and `>`, or as the destination of a link; neither for one that is in the text. */
export interface UrlPlace {
  isAngle?: boolean
  isDestination?: boolean
}

/**
 * A URL that is shown as code, and written so that nothing takes it for a URL outside of code either. Comes in pieces.
 */
export class InertUrl {
  readonly isAngle: boolean
  /** Scheme of the text, and as it is shown; both empty where it has none. */
  readonly scheme: { given: string; shown: string }
  readonly #ends: RegExp
  #openParentheses = 0
  #part: 'before host' | 'host' | 'path'

  /** @param text that begins with the URL */
  constructor(text: string, { isAngle = false, isDestination = false }: UrlPlace = {}) {
    const [given = ''] = /^(?!www\.)[a-z][a-z\d+.-]*\\?:/i.exec(text) ?? []
    const isHttp = /^https?/i.test(given)
    this.isAngle = isAngle
    this.scheme = { given, shown: isHttp ? given.replace(/^http/i, 'hxxp') : given.replace(':', '[:]') }
    this.#ends = isAngle ? /[>\n<`]/ : isDestination ? /[\s`<>]/ : /[\s`<>"|\]]/
    this.#part = given === '' || isHttp ? 'before host' : 'path'
  }

  /** Index at which it ends in the next piece; -1 if it continues behind it. */
  findEnd(piece: string): number {
    for (let at = 0; at < piece.length; at++) {
      const character = piece[at]!
      if (character === '(') this.#openParentheses++
      if (character === ')') this.#openParentheses--
      if (this.#ends.test(character) || (!this.isAngle && this.#openParentheses < 0)) return at
    }
    return -1
  }

  /** The next piece as it is shown. @param tail the end of what was said before it */
  show(piece: string, tail: string): string {
    let shown = ''
    for (let at = 0; at < piece.length; at++) {
      const character = piece[at]!
      if (this.#part === 'before host' && !/[/\\]/.test(character)) this.#part = 'host'
      else if (this.#part === 'host' && /[/\\?#]/.test(character)) this.#part = 'path'
      const last = at > 0 ? piece[at - 1] : tail.at(-1)
      const isWww = character === '.' && /www$/i.test(tail.slice(-3) + piece.slice(Math.max(0, at - 3), at))
      if (isWww || (character === '.' && this.#part === 'host')) shown += '[.]'
      else if (character === '/' && last === '/' && this.#part === 'path') shown += '%2F'
      else shown += /[|[\]]/.test(character) ? encodeURIComponent(character) : character
    }
    return shown
  }
}
