import { isAbsolute } from 'node:path'

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

type OcrDataSource = { kind: 'registry'; url: string } | { kind: 'folder'; path: string }

/**
 * Reads the place that data for other languages comes from: an address of an npm registry, an absolute folder, or off.
 * @throws Error in an operator's words
 */
export function parseOcrData(text: string): OcrDataSource | undefined {
  const place = text.trim()
  if (place === 'off') return undefined
  if (isAbsolute(place)) return { kind: 'folder', path: place }
  if (/^https?:\/\/[^\s?#]+$/.test(place)) return { kind: 'registry', url: place }
  throw new Error(
    'must be the address of an npm registry, an absolute folder with files such as rus.traineddata, or off',
  )
}

function isInstalled(language: string): boolean {
  try {
    import.meta.resolve(`@tesseract.js-data/${language}/package.json`)
    return true
  } catch {
    return false
  }
}
