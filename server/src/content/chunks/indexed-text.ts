import type { Location } from '../read/parsed-document.ts'

/** Heading over a chunk: `title > attachment > sheet > headings`. A part that repeats the one before it is left out. */
export function headingOf(title: string, { attachment, sheet, heading_path: headings = [] }: Location): string {
  const parts: string[] = []
  for (const part of [title, attachment, sheet, ...headings]) if (part && part !== parts.at(-1)) parts.push(part)
  return parts.join(' > ')
}

/**
 * The text that search indexes for a chunk: its heading on the first line, then the chunk's own text. One column with
 * both finds more than two columns do.
 */
export function indexedText(title: string, chunk: { text: string; location: Location }): string {
  const heading = headingOf(title, chunk.location)
  return heading ? `${heading}\n${chunk.text}` : chunk.text
}
