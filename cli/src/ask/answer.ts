import { styleText } from 'node:util'
import type { AnswerStream, Citation, Location } from '@docent/sdk'
import { streamMarkdown } from '../terminal/markdown.ts'

export interface Answer {
  text: string
  citations: Citation[]
}

/**
 * Shows an answer as it comes: its text on standard output, in a terminal as formatted Markdown; what the agent thinks and
 * does, dimly, beside it.
 */
export async function showAnswer(stream: AnswerStream, isQuiet: boolean): Promise<Answer> {
  const answer: Answer = { text: '', citations: [] }
  const aside = (text: string) => {
    if (!isQuiet) process.stderr.write(styleText('dim', text, { stream: process.stderr }))
  }
  const write = (text: string) => {
    if (!isQuiet) process.stdout.write(text)
  }
  const formatted = process.stdout.isTTY ? streamMarkdown(write) : undefined
  for await (const event of stream) {
    if (event.type === 'response') {
      answer.text += event.text
      if (formatted) formatted.add(event.text)
      else write(event.text)
    } else if (event.type === 'reasoning') aside(event.text)
    else if (event.type === 'end_reasoning') aside('\n')
    else if (event.type === 'end_response') answer.citations = event.data.citations
    else if (event.type === 'review_request') aside(`\nThe answer waits for a review: ${event.text}\n`)
    else if (event.type === 'live_update') aside(toolLine(event.subtype, event.data))
  }
  if (formatted) formatted.end()
  else write('\n')
  return answer
}

function toolLine(subtype: string, { tool_name, preview }: { tool_name: string; preview: { title: string } | null }) {
  if (subtype === 'tool_call_start') return `· ${tool_name}\n`
  return subtype === 'tool_call_result' && preview ? `  ${preview.title}\n` : ''
}

/** `[1] handbook.docx, page 3, Kilns > Firing` */
export function sourceLines(citations: Citation[]): string[] {
  return citations.map(({ index, title, location }) => [`[${index}] ${title}`, ...placeOf(location)].join(', '))
}

/** `2:05` or `1:02:05` of seconds. */
function clockTime(seconds: number): string {
  const two = (part: number) => String(part).padStart(2, '0')
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}

/** `page 3`, `Kilns > Firing`, `12:05` */
export function placeOf(location: Location): string[] {
  const { page, slide, heading_path, sheet, attachment, time_start } = location
  const span = (name: string, from?: number, to?: number) =>
    from === undefined ? '' : to === undefined || to === from ? `${name} ${from}` : `${name}s ${from} to ${to}`
  return [
    attachment ? `attachment ${attachment}` : '',
    page === undefined ? '' : `page ${page}`,
    slide === undefined ? '' : `slide ${slide}`,
    sheet ? `sheet ${sheet}` : '',
    span('row', location.row_start, location.row_end),
    page === undefined && time_start === undefined ? span('line', location.line_start, location.line_end) : '',
    time_start === undefined ? (heading_path?.join(' > ') ?? '') : clockTime(time_start),
    location.by_hand ? `${location.by_hand} by hand` : '',
  ].filter(Boolean)
}
