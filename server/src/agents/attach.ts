import type { LanguageModel, ModelMessage } from '../platform/models/model.ts'
import type { AttachedFile } from '../retrieval/attached-files.ts'
import { dataSection } from './tools/quote.ts'

/** Words of attached files that go into the model's context as they are, as a share of its window in tokens. */
const WHOLE_SHARE = 0.3
const PROVIDERS_THAT_SEE = ['openai', 'anthropic', 'google']

/**
 * The question with its files: their whole text where it fits; where it does not, the beginning and word that the rest
 * can be searched. Pictures go along for vendors whose models see.
 */
export function questionWithFiles(question: string, files: AttachedFile[], model: LanguageModel): ModelMessage {
  if (files.length === 0) return { role: 'user', content: question }
  let wordsLeft = model.contextTokens * WHOLE_SHARE
  const parts = [question]
  for (const file of files) {
    const texts: string[] = []
    let words = 0
    for (const { text } of file.chunks) {
      words += text.split(/\s+/).length
      if (words > wordsLeft) break
      texts.push(text)
    }
    const isWhole = texts.length === file.chunks.length
    wordsLeft -= words
    const note = isWhole ? '' : '\n(cut here: find the rest with search_knowledge)'
    parts.push(`${dataSection({ file: file.name }, texts.join('\n'))}${note}`)
  }
  const canSee = PROVIDERS_THAT_SEE.includes(model.id.split('/')[0]!)
  const images = files.flatMap(({ image }) => (image && canSee ? [image] : []))
  return { role: 'user', question, content: parts.join('\n\n'), ...(images.length > 0 && { images }) }
}
