import type { z } from 'zod'
import { formatLocation } from '../../retrieval/retrieval.ts'
import type { Citation } from '../messages/messages.schemas.ts'
import { CANCELLED } from '../runs/runs.errors.ts'
import { headingsBelow } from './headings-below.ts'

/** Longest question that is a heading by itself. */
const MOST_IN_HEADING = 120

/** Question with its answer, as a document shows it. */
export interface WrittenTurn {
  query: string
  response: string
  errorMessage: string | null
  citations: z.infer<typeof Citation>[]
  /** Names of the files that the answer made. */
  files: string[]
}

/** Level of the highest heading of an answer: the title has the first, questions have the second. */
const IN_ANSWER = 3

/**
 * A chat as a document: each question is a heading, below it the answer with its sources. Answers are Markdown; all else
 * stands there word for word. @param turns oldest first
 */
export const toMarkdown = (title: string, turns: WrittenTurn[]): string =>
  `${[`# ${lineOf(title)}`, ...turns.flatMap(turnLines)].join('\n\n')}\n`

function turnLines({ query, response, errorMessage, citations, files }: WrittenTurn): string[] {
  const lines = query.split(LINE_END)
  const isShort = query.length <= MOST_IN_HEADING && lines.length === 1
  const question = isShort ? [`## ${lineOf(query)}`] : ['## Question', quoted(lines)]
  const failure = errorMessage === CANCELLED ? 'This answer was stopped.' : errorMessage
  return [
    ...question,
    ...(response ? [headingsBelow(response, IN_ANSWER)] : []),
    ...(failure === null ? [] : [`*${lineOf(failure)}*`]),
    ...(files.length > 0 ? [`Files: ${files.map(lineOf).join(', ')}`] : []),
    ...(citations.length > 0 ? [citations.map(sourceLine).join('\n')] : []),
  ]
}

function sourceLine({ index, title, location, text }: z.infer<typeof Citation>): string {
  const place = formatLocation(location)
  return `- [${index}] ${lineOf(title)}${place && `, ${lineOf(place)}`}: “${lineOf(text)}”`
}

const LINE_END = /\r\n|\r|\n/

/** Text in one line, that shows as it is. */
const lineOf = (text: string): string => escaped(text.trim().replaceAll(/\s+/g, ' '))

/** Quote that keeps the lines of a text, and their indents, which would make code of it. */
function quoted(lines: string[]): string {
  const isEmpty = (line = '') => line.trim() === ''
  const shown = lines.map((line, at) => {
    const indent = line.match(/^\s*/)![0].replaceAll('\t', '    ').replaceAll(' ', '\u00A0')
    return isEmpty(line) ? '>' : `> ${indent}${escaped(line.trim())}${isEmpty(lines[at + 1]) ? '' : '\\'}`
  })
  return shown.join('\n')
}

/** Brackets and backslashes before them: `\[x\]` is Markdown for `[x]`, but a formula to those who set formulas. */
const BRACKET = /\\(?=[[\]()])|\]/
/** Signs of Markdown: anywhere; at the beginning of a line; before a name or number of a sign; in an address. */
const SIGN =
  /[\\`*_<>~$|@]|^[-+=:]|(?<=^\d{1,9})[.)](?=\s|$)|(?<=^|[\s#])#|&(?=#?\w+;)|(?<=\b(?:https?|ftp|mailto|xmpp)):|(?<=\bwww)\./
const ESCAPED = new RegExp(`(${BRACKET.source})|${SIGN.source}`, 'gi')

/** Markdown that shows a line of text as it is. */
const escaped = (line: string): string =>
  line.replaceAll(ESCAPED, (sign, bracket?: string) => (bracket ? `&#${bracket.charCodeAt(0)};` : `\\${sign}`))
