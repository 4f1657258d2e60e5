import { covers, type Family, familiesFor } from './fonts.ts'

/** Text in one font. */
export interface FontRun {
  text: string
  family: Family
}

/** Characters that could not be shown, by kind. */
export interface Missing {
  /** Letters of scripts that no font has. */
  letters: Set<string>
  signs: Set<string>
}

export const nothingMissing = (): Missing => ({ letters: new Set(), signs: new Set() })

/** They go with what they stand on, and say nothing alone. */
const JOINED = /\p{M}|[\u200c\u200d]|[\u{1f3fb}-\u{1f3ff}]/u
const IN_COLOUR = /\p{Emoji_Presentation}/u
/** Asks for a sign to be shown in colour, which no font here can. */
const VARIATION = /[\ufe0e\ufe0f]/gu
const REPLACEMENT = '□'

/** Cuts text where the font has to change. What no font has is noted and shown as a box. */
export function fontRuns(text: string, primary: 'Sans' | 'Mono', missing: Missing): FontRun[] {
  const runs: FontRun[] = []
  for (const character of text.replaceAll(VARIATION, '')) {
    const last = runs.at(-1)
    const family = familyOf(character, primary, last?.family)
    if (!family) note(character, missing)
    const shown = family ? character : REPLACEMENT
    const used = family ?? 'Symbols'
    if (last?.family === used) last.text += shown
    else runs.push({ text: shown, family: used })
  }
  return runs
}

/** Characters of a text that our fonts lack. */
export function missingIn(text: string): Missing {
  const missing = nothingMissing()
  fontRuns(text, 'Sans', missing)
  return missing
}

function familyOf(character: string, primary: 'Sans' | 'Mono', before: Family | undefined): Family | undefined {
  const codePoint = character.codePointAt(0)!
  if (codePoint < 0x250) return primary
  if (before && JOINED.test(character) && covers(before, codePoint)) return before
  const order: Family[] = [...(IN_COLOUR.test(character) ? ['Emoji' as const] : []), ...familiesFor(primary)]
  return order.find((family) => covers(family, codePoint))
}

function note(character: string, { letters, signs }: Missing): void {
  if (/\p{L}/u.test(character)) letters.add(character)
  else signs.add(character)
}

const NAMED = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Arabic', 'Hebrew', 'Thai', 'Bengali', 'Tamil', 'Telugu']

/** Names the scripts of letters: `Han, Hiragana`; the letters themselves where none is among the known ones. */
export function scriptsOf(letters: Iterable<string>): string {
  const all = [...letters]
  const names = NAMED.filter((name) => all.some((letter) => new RegExp(`\\p{Script=${name}}`, 'u').test(letter)))
  return names.join(', ') || all.slice(0, 10).join(' ')
}
