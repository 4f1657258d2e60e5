/** Share of the best row's agreement from which on a further row counts as meant, too. */
const ENOUGH = 0.6
/** End of a sentence, with citations that are behind it. */
const CITED_LATE = /([.!?。！？])\s*((?:\[[\d,\s]{1,40}\]\s*)+)/g

/** Sentences and lines of an answer that cite a source; the whole answer if none does. */
export function citingSentences(answer: string, index: number): string {
  const sentences = answer.replaceAll(CITED_LATE, ' $2$1 ').split(/(?<=[.!?。！？])\s+|\n+/)
  const citing = sentences.filter((sentence) =>
    [...sentence.matchAll(/\[([\d,\s]{1,40})\]/g)].some(([, numbers]) =>
      numbers!.split(',').map(Number).includes(index),
    ),
  )
  return (citing.length > 0 ? citing.join(' ') : answer).replaceAll(/\[[\d,\s]{1,40}\]/g, ' ')
}

/** Line above an e-mail, as the server reads it. */
const MAIL_HEADER = /^(From|To|Cc|Date|Subject): /

/**
 * Finds the rows of a table's passage that a sentence speaks of. A passage holds a row a line, `column: value | …`;
 * what tells its rows apart counts, and what is in all of them does not. Of an e-mail it is all lines that were
 * written.
 * @returns the rows' numbers from 0; none if the passage is neither, or if the sentence is about all of it
 */
export function findCitedRows(passage: string, said: string): number[] {
  const rows = rowsOf(passage)
  if (MAIL_HEADER.test(rows[0]!))
    return rows.flatMap((row, at) => (row.trim() === '' || MAIL_HEADER.test(row) ? [] : [at]))
  if (rows.length < 2 || !rows.every((row) => /: | \| /.test(row))) return []
  const spoken = new Set(wordsOf(said))
  const words = rows.map((row) => new Set(wordsOf(row)))
  const spread = new Map<string, number>()
  for (const row of words) for (const word of row) spread.set(word, (spread.get(word) ?? 0) + 1)
  const scores = words.map((row) =>
    [...row].reduce((sum, word) => {
      const count = spread.get(word)!
      return spoken.has(word) && count < rows.length ? sum + 1 / count : sum
    }, 0),
  )
  const best = Math.max(...scores)
  const found = scores.flatMap((score, at) => (best > 0 && score >= best * ENOUGH ? [at] : []))
  return found.length < rows.length ? found : []
}

export const rowsOf = (passage: string): string[] => passage.trim().split('\n')

/** Words that tell something: numbers, and words of more than one letter. */
const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).filter(
    (word) => word.length > 1 || /\p{N}|\p{Lo}/u.test(word),
  )
