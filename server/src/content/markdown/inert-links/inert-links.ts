import { closes, closingLine, type Fence, isInside, readHead } from './code-lines.ts'
import { judgeAuthority, judgeDestination, type Verdict } from './destination.ts'
import { entityAt, OPEN_ENTITY } from './entities.ts'
import type { IsNamed } from './named-hosts.ts'
import { createPlace } from './place.ts'

export interface InertLinks {
  /** Takes a piece of Markdown, and gives what can be said of it and of what was held back before. */
  push(text: string): string
  /**
   * Gives what is still held back: a turn of the model is over. A block of code that it left open ends here, because
   * some renderers take one without an end for text. More may follow.
   */
  flush(): string
}

/** Beginning of anything that is, or hides, a link. */
const TRIGGER = /[`~<&]|\/(?=\/|$)|(?<=\])[(:]|(?<=xmpp):|(?<![a-z\d])(?:h(?=t|$)|w(?=w|$))/gi
/** A text without any character that a trigger has. */
const PLAIN = /^[^`~<&/(:hw]+$/i
/** Beginnings of `https://` and `www.`; the marks may be escaped. */
const OPEN_SCHEME = /^h(?:t(?:t(?:p(?:s?(?:\\?(?::(?:\\?(?:\/(?:\\?)?)?)?)?)?)?)?)?)?$/i
const OPEN_WWW = /^w{1,3}$/i
/** Tags without attributes that stand within a line: the only ones that may stay. */
const PLAIN_TAG = /^<\/?(?:br|b|i|em|strong|u|s|del|ins|sub|sup|kbd|mark|small)\s*\/?>/i
const EMAIL_LINK = /^<(?!www\.)[\w.+-]+@[\w-]+(?:\.[\w-]+)+>/
const LONGEST_CODE = 2000
/** Number of backticks. */
const LONGEST_RUN = 50
const LONGEST_TAG = 80
const LONGEST_HOST = 255
const LONGEST_INFO = 200
/** Stands for a line of code that is too long to be anything else. */
const CODE_LINE = 'x'.repeat(LONGEST_INFO + 1)

/** A whole text, as `createInertLinks` makes of it piece by piece. */
export function makeInert(text: string, isNamed: IsNamed): string {
  const links = createInertLinks(isNamed)
  return links.push(text) + links.flush()
}

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
export function createInertLinks(isNamed: IsNamed): InertLinks {
  let held = ''
  let output = ''
  let lastSaid = ''
  /** Whether the last that was said is a backtick of our own. */
  let isAfterTick = false
  let mode: 'text' | 'fence' | 'inert' = 'text'

  const place = createPlace()
  let fence: Fence | undefined
  let fenceLine = ''
  let inert = { isAngle: false, isDestination: false, depth: 0, part: 'path' as 'before' | 'host' | 'path' }

  function push(text: string): string {
    if (held === '' && mode === 'text' && PLAIN.test(text)) {
      isAfterTick = false
      lastSaid = text.at(-1)!
      place.read(text)
      return text
    }
    if (held === '' && mode === 'text' && nextTrigger(text) === -1) {
      say(text)
      read(text)
      return said()
    }
    held += text
    return drain(false)
  }

  function drain(isEnd: boolean): string {
    for (let before = '', now = state(); held !== '' && now !== before; now = state()) {
      before = now
      if (mode === 'fence') passFence()
      else if (mode === 'inert') passInert()
      else passText(isEnd)
    }
    if (isEnd && mode === 'inert') endInert()
    if (isEnd && mode === 'fence') endFence()
    return said()
  }

  function said(): string {
    const text = output
    output = ''
    return text
  }

  const state = () => `${mode} ${held.length}`

  // ---- what was read, and what is said

  const read = (text: string): void => (mode === 'fence' ? place.readCode(text) : place.read(text))

  function say(text: string): void {
    if (text === '') return
    // Two backticks side by side would be another mark.
    if (isAfterTick && text.startsWith('`')) output += ' '
    isAfterTick = false
    output += text
    lastSaid = text.at(-1)!
  }

  /** Takes so many characters as they are. */
  function pass(length: number): void {
    const text = held.slice(0, length)
    held = held.slice(length)
    say(text)
    read(text)
  }

  /** Takes so many characters and says others in their place. */
  function replace(length: number, by: string): void {
    read(held.slice(0, length))
    held = held.slice(length)
    say(by)
  }

  /** Takes text that may hold backticks which begin no code. */
  function passUnsure(length: number): void {
    if (held.slice(0, length).includes('`')) place.doubt()
    pass(length)
  }

  // ---- text

  function nextTrigger(text: string): number {
    TRIGGER.lastIndex = 0
    for (let found = TRIGGER.exec(text); found; found = TRIGGER.exec(text)) {
      if (found.index > 0 || !/[hw]/i.test(found[0]) || !/[a-z\d]$/i.test(place.tail)) return found.index
    }
    return (place.tail.endsWith(']') && /^[(:]/.test(text)) || isAfterXmpp(text) ? 0 : -1
  }

  /** Some make `xmpp:` and an address a link; what stands before the colon was said already. */
  const isAfterXmpp = (text: string): boolean => text.startsWith(':') && /xmpp$/i.test(place.tail)

  function passText(isEnd: boolean): void {
    const at = nextTrigger(held)
    const isAfterBracket = place.tail.endsWith(']') && /^[(:]/.test(held)
    if (at !== 0 && !isAfterBracket) {
      pass(at === -1 ? held.length : at)
      return
    }
    const taken = isAfterBracket ? passDestination(isEnd) : passTrigger(isEnd)
    if (!taken && isEnd) passUnsure(1)
  }

  /** @returns whether it could be decided, and was. */
  function passTrigger(isEnd: boolean): boolean {
    switch (held[0]) {
      case '`':
      case '~':
        return passFenceStart(isEnd) ?? (held[0] === '`' ? passCode(isEnd) : passOne())
      case '&':
        return passEntity(isEnd)
      case '<':
        return passTag(isEnd)
      case '/':
        return passSlashes(isEnd)
      case ':':
        return passXmpp(isEnd)
      default:
        return passScheme(isEnd)
    }
  }

  function passOne(): boolean {
    passUnsure(1)
    return true
  }

  function passEntity(isEnd: boolean): boolean {
    const entity = entityAt(held)
    if (!entity && OPEN_ENTITY.test(held) && !isEnd) return false
    if (!entity?.plain) return passOne()
    // Written out, it must not begin a tag.
    if (place.tail.endsWith('<')) say('\u200b')
    held = entity.plain + held.slice(entity.length)
    return true
  }

  function passScheme(isEnd: boolean): boolean {
    const [start, mark] = /^(?:https?(\\?:\\?\/\\?\/)|www\.)/i.exec(held) ?? []
    if (start === undefined) {
      if (!isEnd && (OPEN_SCHEME.test(held) || OPEN_WWW.test(held))) return false
      return passOne()
    }
    const isEscaped = mark?.includes('\\') ?? false
    const rest = held.slice(start.length)
    if (isEscaped) return startInert(0, '')
    const verdict = judgeAuthority(rest, mark ? isNamed : (host) => isNamed(`www.${host}`), isEnd)
    return carryOut(verdict, start.length)
  }

  /** `//host` by itself, or after a scheme that is neither http nor https. */
  function passSlashes(isEnd: boolean): boolean {
    if (/^\/\/?$/.test(held) && !isEnd) return false
    if (!held.startsWith('//')) return passOne()
    const hasScheme = /[a-z][a-z\d+.-]*\\?:\\?$/i.test(place.tail)
    if (hasScheme) {
      if (/^\/\/[^\s]/.test(held) && !/^\/\/[`'")\]}*_,;|]/.test(held)) return startInert(0, '')
      pass(2)
      return true
    }
    const [host = ''] = /^\/\/([\p{L}\p{N}\p{M}._-]*)/u.exec(held)?.slice(1) ?? []
    if (2 + host.length === held.length && !isEnd && host.length < LONGEST_HOST) return false
    if (/[\p{L}\p{N}/]$/u.test(place.tail) || !/^[^.].*\.[^.]/.test(host.slice(0, LONGEST_HOST))) {
      pass(2)
      return true
    }
    return carryOut(judgeAuthority(held.slice(2), isNamed, isEnd), 2)
  }

  function passXmpp(isEnd: boolean): boolean {
    if (held === ':' && !isEnd) return false
    if (/^:(?:\s|$)/.test(held)) pass(1)
    else replace(1, '[:]')
    return true
  }

  function carryOut(verdict: Verdict, before: number): boolean {
    if (verdict === 'more') return false
    if (verdict === 'inert') return startInert(0, '')
    if (verdict === 'text') pass(before)
    else {
      pass(before + verdict.keep)
      place.beginUrl()
    }
    return true
  }

  function passTag(isEnd: boolean): boolean {
    if (held === '<' && !isEnd) return false
    if (!/^<[a-z/!?]/i.test(held)) return passOne()
    const [start] = /^<[a-z][a-z\d+.-]{1,31}:/i.exec(held) ?? []
    if (start !== undefined) {
      const verdict = judgeDestination(held.slice(1), isNamed, isEnd)
      if (verdict === 'more') return false
      if (verdict === 'inert') return startInert(1, '', { isAngle: true })
      if (verdict !== 'text' && /^<(?:https?|mailto|tel):/i.test(start)) {
        pass(1 + verdict.keep)
        place.beginUrl()
        return true
      }
    } else if (/^<[^\s<>]*\s*\/?$/.test(held) && held.length < LONGEST_TAG && !isEnd) return false
    // At the beginning of a line, or of a footnote, it would make all that follows HTML.
    const isWithinLine = place.head === undefined && !/\]:\s*$/.test(place.tail)
    const [plain] = (isWithinLine && PLAIN_TAG.exec(held)) || EMAIL_LINK.exec(held) || []
    if (plain !== undefined && plain.length <= LONGEST_TAG) pass(plain.length)
    else replace(1, '<\u200b')
    return true
  }

  /** Reads the text after `](` or `]:`. */
  function passDestination(isEnd: boolean): boolean {
    const isDefinition = held[0] === ':'
    const [start = ''] = /^[(:][ \t]{0,80}(?:\r?\n[ \t]{0,80})?/.exec(held) ?? []
    const rest = held.slice(start.length)
    if (start.length >= LONGEST_TAG) {
      // So far from its label that it must not be an address.
      replace(1, isDefinition ? ' :' : ' (')
      return true
    }
    if ((rest === '' || rest === '\r') && !isEnd) return false
    if (rest === '<' && !isEnd) return false
    const isAngle = rest.startsWith('<')
    const verdict = judgeDestination(isAngle ? rest.slice(1) : rest, isNamed, isEnd)
    if (verdict === 'more') return false
    if (verdict === 'inert')
      return startInert(start.length + (isAngle ? 1 : 0), isDefinition ? ' : ' : ' (', {
        isAngle,
        isDestination: !isDefinition,
      })
    const isUrl = verdict !== 'text' && /^https?:/i.test(isAngle ? rest.slice(1) : rest)
    pass(isUrl ? start.length + (isAngle ? 1 : 0) + verdict.keep : start.length)
    place.beginLink()
    return true
  }

  // ---- URLs

  function startInert(
    skip: number,
    before: string,
    kind: { isAngle?: boolean; isDestination?: boolean } = {},
  ): boolean {
    // A backtick before ours would make one mark of both, a backslash would take ours away, a URL would go on in it.
    const needsSpace = before === '' && (/[`\\]/.test(lastSaid) || place.isInUrl)
    if (place.isInUrl) place.doubt()
    replace(skip, `${before}${needsSpace ? ' ' : ''}\``)
    const [scheme = ''] = /^(?!www\.)[a-z][a-z\d+.-]*\\?:/i.exec(held) ?? []
    const isHttp = /^https?/i.test(scheme)
    inert = {
      isAngle: false,
      isDestination: false,
      depth: 0,
      ...kind,
      part: scheme === '' || isHttp ? 'before' : 'path',
    }
    mode = 'inert'
    replace(scheme.length, isHttp ? scheme.replace(/^http/i, 'hxxp') : scheme.replace(':', '[:]'))
    return true
  }

  function passInert(): void {
    const ends = inert.isAngle ? /[>\n<`]/ : inert.isDestination ? /[\s`<>]/ : /[\s`<>"|\]]/
    for (let at = 0; at < held.length; at++) {
      const character = held[at]!
      if (character === '(') inert.depth++
      if (character === ')') inert.depth--
      if (!ends.test(character) && (inert.isAngle || inert.depth >= 0)) continue
      sayInert(at)
      endInert()
      if (inert.isAngle && character === '>') replace(1, '')
      return
    }
    sayInert(held.length)
  }

  /** In code, and not to be taken for a URL even outside of it. */
  function sayInert(length: number): void {
    let shown = ''
    for (let at = 0; at < length; at++) {
      const character = held[at]!
      if (inert.part === 'before' && !/[/\\]/.test(character)) inert.part = 'host'
      else if (inert.part === 'host' && /[/\\?#]/.test(character)) inert.part = 'path'
      const last = at > 0 ? held[at - 1] : place.tail.at(-1)
      const isWww = character === '.' && /www$/i.test(place.tail.slice(-3) + held.slice(Math.max(0, at - 3), at))
      if (isWww || (character === '.' && inert.part === 'host')) shown += '[.]'
      else if (character === '/' && last === '/' && inert.part === 'path') shown += '%2F'
      else shown += /[|[\]]/.test(character) ? encodeURIComponent(character) : character
    }
    replace(length, shown)
  }

  function endInert(): void {
    say('`')
    isAfterTick = true
    mode = 'text'
  }

  // ---- code

  /** @returns undefined where no fence begins. */
  function passFenceStart(isEnd: boolean): boolean | undefined {
    if (place.head === undefined || place.isDoubtfulForGood) return undefined
    const mark = held[0] as '`' | '~'
    if (/^(?:`{1,2}|~{1,2})$/.test(held) && !isEnd) return false
    const line = mark === '`' ? /^(`{3,})[^`\n]*(\n|$)/ : /^(~{3,})[^\n]*(\n|$)/
    const [whole = '', run = '', end] = line.exec(held) ?? []
    if (run === '') return undefined
    if (end === '' && whole.length < LONGEST_INFO && !isEnd) return false
    const before = readHead(place.head)
    // Some take the first for a table's row, others the second for the address of a definition.
    const isOther = whole.includes('|') || /\]:[ \t]*\r?\n[\s>]*$/.test(place.tail)
    if (whole.length >= LONGEST_INFO || isOther || !before || !place.holdsFence(before)) {
      place.doubt(true)
      return undefined
    }
    fence = { mark, length: run.length, indent: before.itemIndent ?? before.indent, quotes: before.quotes }
    fenceLine = ''
    pass(whole.length)
    mode = 'fence'
    return true
  }

  function passFence(): void {
    const end = held.indexOf('\n')
    const line = end === -1 ? held : held.slice(0, end)
    const before = fenceLine
    fenceLine = fenceLine.length > LONGEST_INFO ? CODE_LINE : fenceLine + line
    const [white = ''] = (fence!.quotes > 0 ? /^[\s>]*/ : /^\s*/).exec(fenceLine) ?? []
    if (white.length < fenceLine.length && white.length >= before.length && !isInside(fence!, white)) {
      // The quote or list item around it is over, and with it the code: but not for everyone.
      pass(white.length - before.length)
      leaveFence(white, true)
      return
    }
    pass(end === -1 ? held.length : end + 1)
    if (end === -1) return
    const isOver = fence!.quotes > 0 && !isInside(fence!, fenceLine)
    const closed = isOver ? 'perhaps' : closes(fence!, fenceLine)
    fenceLine = ''
    if (closed !== 'no') leaveFence('', closed === 'perhaps')
  }

  /** Ends the code with a line that nobody takes for more of it, unless it just had one. */
  function endFence(): void {
    const closed = closes(fence!, fenceLine)
    if (closed !== 'yes') say((lastSaid === '\n' ? '' : '\n') + closingLine(fence!))
    fenceLine = ''
    leaveFence('', closed === 'perhaps')
  }

  function leaveFence(lineBegins: string, isInDoubt: boolean): void {
    mode = 'text'
    fence = undefined
    place.endCode(lineBegins)
    if (isInDoubt) place.doubt(true)
  }

  /** Code within a line. */
  function passCode(isEnd: boolean): boolean {
    const [run] = /^`+/.exec(held)!
    if (run.length === held.length && run.length <= LONGEST_RUN && !isEnd) return false
    const isEscaped = /(?:^|[^\\])(?:\\\\)*\\$/.test(place.tail)
    if (place.isDoubtful || isEscaped || run.length > LONGEST_RUN) {
      passUnsure(run.length)
      return true
    }
    const end = held.indexOf('\n')
    const line = end === -1 ? held : held.slice(0, end)
    for (const { 0: closing, index } of line.slice(0, LONGEST_CODE).matchAll(/`+/g)) {
      if (index === 0 || closing.length !== run.length || index + closing.length >= LONGEST_CODE) continue
      // The run may go on in the next piece.
      if (index + closing.length === held.length && !isEnd) break
      const code = line.slice(run.length, index)
      // A table's cell ends in the middle of it, or it is the label of a definition: not code for everyone.
      if (/\||\]:/.test(code)) passUnsure(run.length)
      else pass(index + closing.length)
      return true
    }
    if (end === -1 && !isEnd && held.length < LONGEST_CODE) return false
    passUnsure(run.length)
    return true
  }

  return { push, flush: () => drain(true) }
}
