import type { Location } from '../document.ts'

/**
 * The text that search indexes for a chunk: `title > attachment > sheet > headings` on the first line, then the
 * chunk's own text. One column with both finds more than two columns do. A part that repeats the one before it is left out.
 */
export function indexedText(title: string, chunk: { text: string; location: Location }): string {
  const { attachment, sheet, heading_path: headings = [] } = chunk.location
  const parts: string[] = []
  for (const part of [title, attachment, sheet, ...headings]) if (part && part !== parts.at(-1)) parts.push(part)
  return parts.length > 0 ? `${parts.join(' > ')}\n${chunk.text}` : chunk.text
}
