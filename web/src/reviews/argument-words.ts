import { t } from '@lingui/core/macro'
import { toWords } from '../platform/format.ts'

/** Name of a tool's argument as people read it: in their language where Docent's own tools have it. */
export const argumentInWords = (name: string): string => WORDS[name]?.() ?? toWords(name)

const WORDS: Record<string, () => string> = {
  name: () => t`Name`,
  content: () => t`Content`,
  text: () => t`Text`,
  code: () => t`Code`,
  url: () => t`Address`,
  query: () => t`Search`,
  question: () => t`Question`,
}
