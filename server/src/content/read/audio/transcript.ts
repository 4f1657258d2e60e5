import { readFile } from 'node:fs/promises'
import type { Extraction, SourceFile } from '../extraction.ts'
import type { Block } from '../parsed-document.ts'
import { clockTime, TimedParagraphs } from '../text/timed-paragraphs.ts'

/** Recording as a model wrote it down; times in seconds. */
export interface Transcript {
  text: string
  /** Absent where the model tells no times. */
  segments?: { start: number; end: number; text: string }[] | undefined
}

/** Passages of a recording that was transcribed: the file holds the `Transcript` as JSON. */
export async function extractTranscript(file: SourceFile): Promise<Extraction> {
  return { format: 'audio', blocks: transcriptBlocks(JSON.parse(await readFile(file.path, 'utf8')) as Transcript) }
}

function* transcriptBlocks({ text, segments }: Transcript): Generator<Block> {
  if (!segments?.length) {
    for (const paragraph of text.split(/\n+/))
      if (paragraph.trim()) yield { kind: 'paragraph', text: paragraph.trim(), location: {} }
    return
  }
  const paragraphs = new TimedParagraphs()
  for (const { start, end, text: words } of segments)
    if (words.trim()) yield* paragraphs.add(words.trim(), { heading: clockTime(start), start, end })
  yield* paragraphs.finish()
}
