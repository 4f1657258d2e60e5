const FORM = 'must be a list of languages as Tesseract calls them, for instance eng,deu'

/**
 * Reads `eng, deu`.
 * @throws Error in an operator's words, also for a language whose data is not installed
 */
export function parseOcrLanguages(text: string): string[] {
  const languages = [...new Set(text.split(',').map((one) => one.trim()))].filter((one) => one !== '')
  if (languages.length === 0) throw new Error(FORM)
  for (const language of languages) {
    if (!/^[a-z]{3}(_[a-z]{3,4}){0,2}$/.test(language)) throw new Error(`${FORM}; not "${language}"`)
    if (!isInstalled(language))
      throw new Error(
        `names ${language}, whose data is not installed. Run in the folder of Docent: npm install -w server --no-save --ignore-scripts @tesseract.js-data/${language}`,
      )
  }
  return languages
}

function isInstalled(language: string): boolean {
  try {
    import.meta.resolve(`@tesseract.js-data/${language}/package.json`)
    return true
  } catch {
    return false
  }
}
