import { i18n, type Messages } from '@lingui/core'
import { LANGUAGE_TAGS, type Language } from '../../languages/languages.ts'

const KEY = 'docent.language'

interface Catalog {
  messages: Messages
  /** Messages of the sections, loaded when one is opened. */
  sections: Record<string, () => Promise<{ messages: Messages }>>
}

/** Translations of the UI, by the language. */
export const CATALOGS: Record<Exclude<Language, 'en'>, () => Promise<Catalog>> = {
  de: () => import('virtual:messages/de'),
  fr: () => import('virtual:messages/fr'),
  es: () => import('virtual:messages/es'),
  ru: () => import('virtual:messages/ru'),
  zh: () => import('virtual:messages/zh'),
  ar: () => import('virtual:messages/ar'),
}

/**
 * Language of the UI: on the page of a link that of the address, else the one that was chosen in this browser, else the
 * first of the browser's that there is.
 */
export const LANGUAGE: Language = ofLink() ?? stored() ?? preferred() ?? 'en'

/**
 * Languages for dates, numbers and plurals: the browser's variants of the UI's language, such as British English. Who
 * reads English for want of their own language writes days before months, and has hours to 24: hence that of Britain.
 */
export const LOCALES: string[] = localesOf(wanted().filter((tag) => tag.split('-')[0] === LANGUAGE))

/** Languages that are written from right to left. */
const RIGHT_TO_LEFT: string[] = ['ar']

/** Direction in which a language is written. */
export const directionOf = (language: Language): 'rtl' | 'ltr' => (RIGHT_TO_LEFT.includes(language) ? 'rtl' : 'ltr')

let catalog: Promise<Catalog | null>

/** Loads what every page says in the UI's language; rejects if it cannot be loaded. English needs nothing. */
export async function loadLanguage(): Promise<void> {
  document.documentElement.lang = LANGUAGE
  document.documentElement.dir = directionOf(LANGUAGE)
  catalog = LANGUAGE === 'en' ? Promise.resolve(null) : CATALOGS[LANGUAGE]()
  const loaded = await catalog
  // Texts with nothing to put in are their own translation until a catalog has one; the others were compiled by the build.
  i18n.setMessagesCompiler((text) => [text])
  i18n.load(LANGUAGE, loaded?.messages ?? {})
  i18n.activate(LANGUAGE, LOCALES)
}

/** Loads a section after its messages, which its modules may read while they are loaded. */
export async function withMessages<T>(section: string, load: () => Promise<T>): Promise<T> {
  const loaded = await (await catalog)?.sections[section]?.()
  if (loaded) i18n.load(LANGUAGE, loaded.messages)
  return load()
}

/** Shows the UI in another language from now on, in this browser; null for the browser's own. */
export function chooseLanguage(language: Language | null): void {
  try {
    if (language) localStorage.setItem(KEY, language)
    else localStorage.removeItem(KEY)
  } catch {
    // Storage is disabled: the browser's language stays.
    return
  }
  if ((language ?? preferred() ?? 'en') !== LANGUAGE) location.reload()
}

/** Language that was chosen in this browser; null for the browser's own. */
export const chosenLanguage = (): Language | null => stored() ?? null

function localesOf(own: string[]): string[] {
  const isForeign = LANGUAGE === 'en' && own.length === 0 && wanted().length > 0
  return [...own, isForeign ? 'en-GB' : LANGUAGE]
}

function stored(): Language | undefined {
  try {
    const tag = localStorage.getItem(KEY)
    return LANGUAGE_TAGS.find((known) => known === tag)
  } catch {
    return undefined
  }
}

function ofLink(): Language | undefined {
  const { pathname, search } = globalThis.location ?? { pathname: '', search: '' }
  if (!pathname.startsWith('/shared/')) return undefined
  const tag = new URLSearchParams(search).get('language')
  return LANGUAGE_TAGS.find((known) => known === tag)
}

function preferred(): Language | undefined {
  return wanted()
    .map((tag) => LANGUAGE_TAGS.find((known) => known === tag.split('-')[0]!.toLowerCase()))
    .find(Boolean)
}

/** Languages of the browser, most wanted first; those that it names in a form of its own are left out. */
function wanted(): string[] {
  return (globalThis.navigator?.languages ?? []).filter((tag) => {
    try {
      return Intl.getCanonicalLocales(tag).length > 0
    } catch {
      return false
    }
  })
}
