import { plainText } from '../../ui/markdown/plain-text.ts'

/** Characters that browsers speak in one go: some fall silent within longer ones. */
const LONGEST = 220

/** Parts of an answer as they are read aloud, one after the other: its words without marks, citations, code and formulas. */
export function speechParts(markdown: string, language: string | undefined): string[] {
  const withoutCode = markdown.replaceAll(/^ {0,3}(```|~~~)[\s\S]*?(^ {0,3}\1.*$|(?![\s\S]))/gm, '\n\n')
  const withoutFormulas = withoutCode.replaceAll(/\$\$[\s\S]*?\$\$|\\\[[\s\S]*?\\\]/g, '\n\n')
  const sentences = new Intl.Segmenter(language, { granularity: 'sentence' })
  return withoutFormulas
    .split(/\n\s*\n|\n(?= {0,3}(?:[-*+|#>]|\d+[.)]))/)
    .map(plainText)
    .flatMap((block) => joined(Array.from(sentences.segment(block), ({ segment }) => segment)))
    .filter((part) => /[\p{L}\p{N}]/u.test(part))
}

/** Sentences, several in one part as long as it stays short. */
function joined(sentences: string[]): string[] {
  const parts: string[] = []
  for (const sentence of sentences) {
    const last = parts.at(-1)
    if (last !== undefined && last.length + sentence.length <= LONGEST) parts[parts.length - 1] = last + sentence
    else parts.push(sentence)
  }
  return parts.map((part) => part.trim())
}
