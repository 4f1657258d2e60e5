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

/** A chat as a document: each question is a heading, below it the answer with its sources. @param turns oldest first */
export const toMarkdown = (title: string, turns: WrittenTurn[]): string =>
  `${[`# ${title}`, ...turns.flatMap(turnLines)].join('\n\n')}\n`

function turnLines({ query, response, errorMessage, citations, files }: WrittenTurn): string[] {
  const isShort = query.length <= MOST_IN_HEADING && !query.includes('\n')
  const question = isShort ? [`## ${query}`] : ['## Question', query.replaceAll(/^/gm, '> ')]
  return [
    ...question,
    ...(response ? [headingsBelow(response, IN_ANSWER)] : []),
    ...(errorMessage === null ? [] : [`*${errorMessage === CANCELLED ? 'This answer was stopped.' : errorMessage}*`]),
    ...(files.length > 0 ? [`Files: ${files.join(', ')}`] : []),
    ...(citations.length > 0 ? [citations.map(sourceLine).join('\n')] : []),
  ]
}

function sourceLine({ index, title, location, text }: z.infer<typeof Citation>): string {
  const place = formatLocation(location)
  return `- [${index}] ${title}${place && `, ${place}`}: “${text.trim().replaceAll(/\s+/g, ' ')}”`
}
