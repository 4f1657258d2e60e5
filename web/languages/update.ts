// npm run languages -w web: brings the catalogs up to the sources. New texts come in untranslated, old ones go.
import { writeFile } from 'node:fs/promises'
import PO from 'pofile'
import { catalogPath, readCatalog } from './catalog.ts'
import { LANGUAGE_TAGS, type Language } from './languages.ts'
import { type Message, readMessages } from './messages.ts'

const messages = await readMessages()
for (const language of LANGUAGE_TAGS) {
  if (language === 'en') continue
  const before = await readCatalog(language).catch(() => new PO())
  await writeFile(catalogPath(language), withMessages(before, messages, language).toString())
}

/** Makes the catalog of what the sources say, with the translations that there are. */
function withMessages(before: PO, texts: Map<string, Message>, language: Language): PO {
  const known = new Map(before.items.map((item) => [item.msgid, item.msgstr]))
  const catalog = new PO()
  catalog.headers = { Language: language, 'Content-Type': 'text/plain; charset=utf-8' }
  for (const { text, sources, placeholders } of texts.values()) {
    const item = new PO.Item()
    item.msgid = text
    item.msgstr = known.get(text) ?? ['']
    item.references = sources
    item.extractedComments = Object.entries(placeholders)
      .filter(([name]) => /^\d+$/.test(name))
      .map(([name, expression]) => `{${name}}: ${expression.replaceAll(/\s+/g, ' ')}`)
    catalog.items.push(item)
  }
  return catalog
}
