import { isHead, type LineHead, readHead } from './code-lines.ts'
import { createListTracker } from './list-tracker.ts'

/** Characters of what was read that are kept: enough for a scheme and for `](`. */
const TAIL = 40
/** It is cut to that only now and then, because texts come word by word and few of them need it. */
const LONGEST_TAIL = 1_000

/**
 * Position of a reader in a Markdown text: its line, list and link, and whether renderers may disagree about what is
 * code there.
 */
export function createPlace() {
  const lists = createListTracker()
  let tail = ''
  let head: string | undefined = ''
  let isDoubtful = false
  let isDoubtfulForGood = false
  let isInUrl = false
  let link: 'address' | 'title' | undefined

  function endLine(): void {
    if (head !== undefined && /^[\s>]*$/.test(head)) {
      lists.blank()
      isDoubtful = false
    } else if (head !== undefined) lists.line(undefined)
    head = ''
  }

  /** Follows a link to its end, or to its title. */
  function readLink(text: string): void {
    for (const character of text) {
      if (link === 'address') link = character === ')' ? undefined : /\s/.test(character) ? 'title' : 'address'
      else if (link === 'title' && /\S/.test(character)) {
        if (/["'(]/.test(character)) isDoubtful = true
        link = undefined
      }
      if (!link) return
    }
  }

  function readTail(text: string): void {
    tail += text
    if (tail.length > LONGEST_TAIL) tail = tail.slice(-TAIL)
  }

  return {
    /** The end of what was read. */
    get tail() {
      if (tail.length > TAIL) tail = tail.slice(-TAIL)
      return tail
    },
    /** The line so far, while it may begin a list, a quote or a fence; undefined after its first word. */
    get head() {
      return head
    },
    /** Whether backticks may not mean code here, for some renderers at least. */
    get isDoubtful() {
      // Some take them for a part of the URL that they come after, all do in a link's address.
      return isDoubtful || isDoubtfulForGood || isInUrl || link !== undefined
    },
    get isDoubtfulForGood() {
      return isDoubtfulForGood
    },
    get isInUrl() {
      return isInUrl
    },

    read(text: string): void {
      if (isInUrl && /[\s<]/.test(text)) isInUrl = false
      if (link) readLink(text)
      readTail(text)
      if (head === undefined && !text.includes('\n')) return
      for (const [index, line] of text.split('\n').entries()) {
        if (index > 0) endLine()
        if (head === undefined || line === '') continue
        const begun: string = head + line
        if (isHead(begun)) head = begun
        else {
          lists.line(readHead(/^[\s>*+\-\d.)]*/.exec(begun)![0]) ?? readHead(/^[ \t>]*/.exec(begun)![0]))
          head = undefined
        }
      }
    },
    /** Code in a block has no lists and links in it. */
    readCode: readTail,
    /** Continues after a block of code; `lineBegins` is what was read of the line. */
    endCode(lineBegins: string): void {
      head = lineBegins
    },

    /** Says that the text just read is the beginning of a URL. */
    beginUrl(): void {
      isInUrl = true
    },
    /** Says that the text just read is the beginning of a link's address. */
    beginLink(): void {
      link = 'address'
    },
    /** Doubts what follows, to the next empty line or to the end of the text. */
    doubt(isForGood = false): void {
      if (isForGood) isDoubtfulForGood = true
      else isDoubtful = true
    },
    /** Whether a fence with this head begins a block of code for every renderer. */
    holdsFence: (before: LineHead): boolean => lists.holdsFence(before),
  }
}
