const NAMED: Record<string, string> = {
  colon: ':',
  sol: '/',
  period: '.',
  commat: '@',
  bsol: '\\',
  tab: '\t',
  newline: '\n',
}

const ENTITY = /^&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z][a-z\d]{1,31}));/i
/** A text that may be the beginning of one. */
export const OPEN_ENTITY = /^&(?:#(?:\d{0,7}|x[\da-f]{0,6})|[a-z][a-z\d]{0,31})?$/i

export interface Entity {
  length: number
  /**
   * Replacement for an entity that a URL could be made of: the letter, `:`, `/`, `.` or `@` that every renderer shows
   * for it; two backslashes for one, a space for a tab or a line's end. Undefined for all others, which may stay.
   */
  plain?: string
}

/** The character reference that a text begins with. */
export function entityAt(text: string): Entity | undefined {
  const [whole, decimal, hex, name] = ENTITY.exec(text) ?? []
  if (whole === undefined) return undefined
  const code = decimal ? Number(decimal) : Number.parseInt(hex ?? '0', 16)
  const character = name ? NAMED[name.toLowerCase()] : code < 128 ? String.fromCharCode(code) : undefined
  return { length: whole.length, plain: character && plainOf(character) }
}

function plainOf(character: string): string | undefined {
  if (/[\t\n\r]/.test(character)) return ' '
  if (character === '\\') return '\\\\'
  return /[a-z:/.@]/i.test(character) ? character : undefined
}
