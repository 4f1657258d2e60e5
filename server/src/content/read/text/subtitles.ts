import type { Extractor } from '../extraction.ts'
import type { Block } from '../parsed-document.ts'
import { detectEncoding } from './charset.ts'
import { type Line, readLines, readText } from './text-lines.ts'

/** Times of a cue; WebVTT leaves the hours out where there are none. */
const cueTimes = /^\s*((?:\d+:)?\d{1,2}:\d{2})[.,]\d{3}\s+-->\s+(?:\d+:)?\d{1,2}:\d{2}[.,]\d{3}/
/** A paragraph ends with a sentence from this length on, and at twice of it in any case. */
const LONG_CHARS = 500
const sentenceEnd = /[.!?…。！？]["'”’)]?$/

/** Subtitles and transcripts (SRT, WebVTT): their text in paragraphs, each below the time at which it begins. */
export const extractSubtitles: Extractor = async (file, context) => {
  const encoding = await detectEncoding(file)
  return { format: 'subtitles', blocks: subtitleBlocks(readLines(readText(file, encoding, context))) }
}

async function* subtitleBlocks(source: AsyncIterable<Line[]>): AsyncGenerator<Block> {
  let words: string[] = []
  let chars = 0
  let start = ''
  let location = { line_start: 1, line_end: 1 }
  let isInCue = false
  let time = ''

  function* paragraph(): Generator<Block> {
    if (words.length === 0) return
    yield { kind: 'heading', level: 1, text: start, location }
    yield { kind: 'paragraph', text: words.join(' '), location }
    words = []
    chars = 0
  }

  for await (const lines of source)
    for (const { text: raw, number } of lines) {
      const times = cueTimes.exec(raw)
      if (times) {
        time = times[1]!
        isInCue = true
        continue
      }
      if (!raw.trim()) isInCue = false
      const text = isInCue ? plainCue(raw) : ''
      // Automatic captions repeat the line before while the next one rolls in.
      if (!text || text === words.at(-1)) continue
      if (words.length === 0) {
        start = time
        location = { line_start: number, line_end: number }
      }
      location.line_end = number
      words.push(text)
      chars += text.length
      if (chars >= 2 * LONG_CHARS || (chars >= LONG_CHARS && sentenceEnd.test(text))) yield* paragraph()
    }
  yield* paragraph()
}

/** Words of a cue's line; the speaker of a voice tag stands before them. */
function plainCue(line: string): string {
  return line
    .replace(/<v(?:\.[^\s>]*)?\s+([^>]+)>/gi, '$1: ')
    .replace(/<[^<>]*>|\{\\[^{}]*\}/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim()
}
