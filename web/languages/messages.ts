import { globSync } from 'node:fs'
import { join, relative } from 'node:path'
import { extractMessagesFromFiles } from '@lingui/native-tools'
import { SOURCES } from './sections.ts'

/** Text of the UI with its id, as Lingui makes it, and the sources that show it. */
export interface Message {
  id: string
  text: string
  /** Expressions by the numbers that stand for them in the text. */
  placeholders: Record<string, string>
  /** Paths below `web/src`. */
  sources: string[]
}

/** Reads the messages out of the sources of the UI, by their English texts. Fails where Lingui warns. */
export async function readMessages(): Promise<Map<string, Message>> {
  const paths = globSync(join(SOURCES, '**/*.{ts,tsx}'))
    .filter((path) => !path.includes('.test.'))
    .sort()
  const { messages, warnings } = await extractMessagesFromFiles(paths)
  if (warnings.length > 0) throw new Error(warnings.join('\n'))
  const found = new Map<string, Message>()
  for (const { id, message, placeholders, origin } of messages) {
    const text = message!
    const known = found.get(text) ?? { id, text, placeholders: {}, sources: [] }
    const source = relative(SOURCES, origin!.filename)
    if (!known.sources.includes(source)) known.sources.push(source)
    Object.assign(known.placeholders, placeholders)
    found.set(text, known)
  }
  return found
}
