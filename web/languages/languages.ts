/**
 * Languages of the UI by their tags, each named in itself. English is in the sources, the others in `TAG.po`, all of
 * whose texts `npm run check` asks for.
 */
export const LANGUAGES = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  ru: 'Русский',
  zh: '中文',
  ar: 'العربية',
} as const

/** Tag of a language of the UI. */
export type Language = keyof typeof LANGUAGES

export const LANGUAGE_TAGS = Object.keys(LANGUAGES) as Language[]
