// Fails if a text of the UI is missing in a language, if a translation loses what is put into the text, if a catalog
// has texts that are gone, or if a source shows a text that is in no catalog.

import { readCatalog } from '../../web/languages/catalog.ts'
import { LANGUAGE_TAGS } from '../../web/languages/languages.ts'
import { readMessages } from '../../web/languages/messages.ts'
import { untranslatable } from './untranslatable.ts'

const problems: string[] = []
const messages = await readMessages()
/** Values and tags of a text: `{0}`, `<0>`. Those of a plural may be in some of its forms only. */
const parts = (text: string) => [...new Set(text.match(/\{\w+(?=[},])|<\/?\d+\/?>/g))].sort().join(' ')

for (const language of LANGUAGE_TAGS) {
  if (language === 'en') continue
  const { items } = await readCatalog(language)
  const known = new Map(items.map((item) => [item.msgid, item.msgstr[0]]))
  for (const text of messages.keys()) {
    const translation = known.get(text)
    if (!translation) problems.push(`${language}.po: no translation of “${text}”`)
    else if (parts(translation) !== parts(text)) problems.push(`${language}.po: other values in “${translation}”`)
  }
  for (const text of known.keys())
    if (!messages.has(text)) problems.push(`${language}.po: no source says “${text}” any more`)
}
problems.push(...untranslatable())

if (problems.length > 0) {
  console.error(problems.join('\n'))
  console.error('npm run languages -w web brings the catalogs up to the sources; texts go into t`…` or <Trans>')
  process.exitCode = 1
}
