import type { Chat, Citation, Message } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { formatLocation } from '../../platform/format-location.ts'

/** Longest question that is a heading by itself. */
const MOST_IN_HEADING = 120

/** A chat as a document: each question is a heading, below it the answer with its sources. @param messages oldest first */
export const toMarkdown = ({ title }: Pick<Chat, 'title'>, messages: Message[]): string =>
  `${[`# ${title}`, ...messages.flatMap(turnLines)].join('\n\n')}\n`

function turnLines({ query, response, error_message: error, citations, output_files: files = [] }: Message): string[] {
  const isShort = query.length <= MOST_IN_HEADING && !query.includes('\n')
  const question = isShort ? [`## ${query}`] : ['## Question', query.replaceAll(/^/gm, '> ')]
  return [
    ...question,
    ...(response ? [response] : []),
    ...(error === null ? [] : [error === 'cancelled' ? t`*This answer was stopped.*` : `*${error}*`]),
    ...(files.length > 0 ? [t`Files: ${files.map(({ file_name }) => file_name).join(', ')}`] : []),
    ...(citations.length > 0 ? [citations.map(sourceLine).join('\n')] : []),
  ]
}

function sourceLine({ index, title, location, text }: Citation): string {
  const place = formatLocation(location)
  return `- [${index}] ${title}${place && `, ${place}`}: “${text.trim().replaceAll(/\s+/g, ' ')}”`
}
