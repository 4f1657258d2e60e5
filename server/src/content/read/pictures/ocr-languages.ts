/** Languages that are tried on a picture whose text is not credible, as Tesseract calls them, by their scripts. */
const SCRIPTS: { letters: RegExp; languages: readonly string[] }[] = [
  { letters: /\p{Script=Cyrillic}/u, languages: ['rus', 'ukr', 'bul'] },
  { letters: /\p{Script=Greek}/u, languages: ['ell'] },
  { letters: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u, languages: ['chi_sim', 'jpn', 'chi_tra'] },
  { letters: /\p{Script=Hangul}/u, languages: ['kor'] },
  { letters: /\p{Script=Arabic}/u, languages: ['ara', 'fas'] },
  { letters: /\p{Script=Hebrew}/u, languages: ['heb'] },
  { letters: /\p{Script=Devanagari}/u, languages: ['hin'] },
  { letters: /\p{Script=Thai}/u, languages: ['tha'] },
  {
    letters: /\p{Script=Latin}/u,
    languages: 'deu fra spa ita por nld pol ces swe dan nor fin hun ron tur vie'.split(' '),
  },
]

/** All that may be loaded. */
export const LOADABLE: ReadonlySet<string> = new Set(SCRIPTS.flatMap(({ languages }) => languages))

/** Languages to try, in groups of one script: those of a group are alike, and the best of them is taken. */
export const CANDIDATES: readonly (readonly string[])[] = SCRIPTS.map(({ languages }) => languages)

/** Letters of a language's script. */
export const lettersOf = (language: string): RegExp =>
  SCRIPTS.find(({ languages }) => languages.includes(language))?.letters ?? /\p{Script=Latin}/u

export const isLatin = (language: string): boolean => lettersOf(language).test('a')
