/**
 * Languages of the browser, most wanted first, for dates and numbers; those that it names in a form of its own are left
 * out.
 */
export const LOCALES = (globalThis.navigator?.languages ?? []).filter((tag) => {
  try {
    return Intl.getCanonicalLocales(tag).length > 0
  } catch {
    return false
  }
})

/** Language of the UI, for words. */
export const WORDS = 'en'
