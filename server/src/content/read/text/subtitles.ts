import type { Extractor } from '../extraction.ts'
import type { Block } from '../parsed-document.ts'
import { detectEncoding } from './charset.ts'
import { readText } from './read-text.ts'
import { type Line, readLines } from './text-lines.ts'
import { TimedParagraphs } from './timed-paragraphs.ts'

/** Times of a cue; WebVTT leaves the hours out where there are none. */
const cueTimes = /^\s*((?:\d+:)?\d{1,2}:\d{2})[.,]\d{3}\s+-->\s+((?:\d+:)?\d{1,2}:\d{2})[.,]\d{3}/

/** Subtitles and transcripts (SRT, WebVTT): their text in paragraphs, each below the time at which it begins. */
export const extractSubtitles: Extractor = async (file, context) => {
  const encoding = await detectEncoding(file)
  return { format: 'subtitles', blocks: subtitleBlocks(readLines(readText(file, encoding, context))) }
}

async function* subtitleBlocks(source: AsyncIterable<Line[]>): AsyncGenerator<Block> {
  const paragraphs = new TimedParagraphs()
  let isInCue = false
  let cue = { heading: '', start: 0, end: 0 }
  for await (const lines of source)
    for (const { text: raw, number } of lines) {
      const times = cueTimes.exec(raw)
      if (times) {
        cue = { heading: times[1]!, start: secondsOf(times[1]!), end: secondsOf(times[2]!) }
        isInCue = true
        continue
      }
      if (!raw.trim()) isInCue = false
      const text = isInCue ? plainCue(raw) : ''
      // Automatic captions repeat the line before while the next one rolls in.
      if (text && text !== paragraphs.last) yield* paragraphs.add(text, { ...cue, line: number })
    }
  yield* paragraphs.finish()
}

/** Seconds of `1:02:05` or `02:05`. */
const secondsOf = (time: string): number => time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)

/** Words of a cue's line; the speaker of a voice tag is before them. */
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
