import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import PO from 'pofile'
import type { Language } from './languages.ts'

/** Path of the catalog of a language. */
export const catalogPath = (language: Language): string => join(import.meta.dirname, `${language}.po`)

/** Reads the catalog of a language, in gettext’s PO: `msgid` is the English text, `#:` lines name the sources that show it. */
export const readCatalog = async (language: Language): Promise<PO> =>
  PO.parse(await readFile(catalogPath(language), 'utf8'))

/** Translations of a catalog by the English text, those that are still missing left out. */
export const translations = (catalog: PO): Map<string, string> =>
  new Map(catalog.items.filter(({ msgstr }) => msgstr[0]).map(({ msgid, msgstr }) => [msgid, msgstr[0]!]))
