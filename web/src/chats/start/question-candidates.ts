import type { DataSource, Passage } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { readableName } from '../../platform/format.ts'

/** Candidates of a file that are tried. */
const TRIED = 3

/**
 * Questions made from the headings of a file, from the head of an e-mail, from the first row of a table, or
 * from the title if it has none of them.
 */
export function candidates(
  { title }: Pick<DataSource, 'title'>,
  passages: Pick<Passage, 'location' | 'text'>[],
): { question: string; heading?: string }[] {
  const name = readableName(title)
  const headings = new Set(passages.map(({ location }) => location.heading_path?.at(-1)?.trim() ?? ''))
  const good = [...headings].filter(
    (heading) => /^.{4,70}$/u.test(heading) && heading !== name && saysSomething(heading),
  )
  const ofMail = good.length === 0 ? questionsOfMail(passages[0]?.text ?? '') : []
  if (ofMail.length > 0) return ofMail.map((question) => ({ question }))
  const cell = good.length === 0 && FIRST_CELL.exec(passages[0]?.text ?? '')?.[1]
  if (cell) return [{ question: t`What does “${name}” list for “${cell}”?` }]
  if (good.length === 0) return [{ question: isQuestion(name) ? asQuestion(name) : t`What is “${name}” about?` }]
  return good.slice(0, TRIED).map((heading) => ({
    heading,
    question: isQuestion(heading) ? asQuestion(heading) : t`What does “${name}” say about “${heading}”?`,
  }))
}

/** Headings that many documents have, in the languages of the UI. */
const COMMON =
  /^(?:[\d.\s]*)(?:(?:executive )?summary|introduction|overview|(?:table of )?contents|conclusions?|background|appendix(?: \w)?|references|abstract|foreword|preface|index|notes?|general|miscellaneous|zusammenfassung|einleitung|einführung|überblick|übersicht|inhalt(?:sverzeichnis)?|fazit|anhang(?: \w)?|vorwort|hintergrund|allgemeines|sonstiges|résumé|sommaire|aperçu|table des matières|annexes?|avant-propos|contexte|resumen|introducción|índice|contenido|anexos?|conclusiones|prólogo|введение|содержание|оглавление|обзор|заключение|приложение|резюме|摘要|引言|目录|概述|前言|附录|结论|مقدمة|ملخص|المحتويات|خاتمة|نظرة عامة|ملحق)[:.]?$/iu

/** Whether a heading tells what is below it: others are set in capitals alone, as labels are, or stand in any document. */
const saysSomething = (heading: string) =>
  !COMMON.test(heading) && (heading !== heading.toUpperCase() || !/\p{Lu}/u.test(heading))

/** First cell of a table's passage, which holds a row a line, `column: value | column: value`. */
const FIRST_CELL = /^[^:|\n]{1,60}: ([^|\n]{1,60}?) \| [^:|\n]{1,60}: /

/** Reply or forward, in the words of several languages. */
const AGAIN = /^(?:(?:re|aw|antw|fwd?|wg|tr|rv|sv|vs)(?:\[\d+\])?\s*:\s*)+/i

/** Questions about an e-mail, whose passage begins with its head; none for other text. */
function questionsOfMail(text: string): string[] {
  if (!/^From: \S/.test(text)) return []
  const head = (name: string) => new RegExp(`^${name}: (.+)$`, 'm').exec(text)?.[1] ?? ''
  const subject = head('Subject').replace(AGAIN, '')
  const writer = head('From').replace(/\s*<[^>]*>$/, '')
  return [
    // One word tells an e-mail from no other.
    ...(/\S\s+\S/.test(subject) ? [t`What does the e-mail “${subject}” say?`] : []),
    ...(writer ? [t`What does ${writer} write?`] : []),
  ]
}

const isQuestion = (text: string) => /\?$|^(who|what|when|where|why|which|how)\b/i.test(text)

const asQuestion = (text: string) => `${text.replace(/\?$/, '')}?`
