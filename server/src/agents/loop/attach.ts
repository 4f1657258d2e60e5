import type { LanguageModel, ModelMessage } from '../../platform/models/model.ts'
import type { AttachedFile } from '../../retrieval/retrieval.ts'
import { dataSection } from '../tools/quote.ts'

/** Words of attached files that go into the model's context as they are, as a share of its window in tokens. */
const WHOLE_SHARE = 0.3

/**
 * The question with its files: their whole text where it fits; where it does not, the beginning and word that the rest
 * can be searched. Pictures go along for models that see; other models get a note that they do not see them.
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
    const notes = [
      ...(isWhole ? [] : ['(cut here: find the rest with search_knowledge)']),
      ...(whyUnseen(file, model) ? [noteOn(file)] : []),
    ]
    parts.push([dataSection({ file: file.name }, texts.join('\n')), ...notes].join('\n'))
  }
  const images = files.flatMap((file) => (file.image && !whyUnseen(file, model) ? [file.image] : []))
  return { role: 'user', question, content: parts.join('\n\n'), ...(images.length > 0 && { images }) }
}

/**
 * The model, with its provider's word on its window and on whether it sees pictures; a question without pictures does
 * not wait for the latter.
 */
export async function withAbilities(model: LanguageModel, files: AttachedFile[]): Promise<LanguageModel> {
  const mustSee = files.some(({ isPicture }) => isPicture)
  const [contextTokens, seesPictures] = await Promise.all([
    model.askWindow?.() ?? model.contextTokens,
    mustSee ? model.askSight?.() : undefined,
  ])
  return { ...model, contextTokens, ...(seesPictures !== undefined && { seesPictures }) }
}

const noteOn = ({ chunks }: AttachedFile): string =>
  chunks.length > 0
    ? '(this is a picture that you cannot see: above is only the text that was recognised in it; if the answer needs more than that, say that you cannot see it)'
    : '(this is a picture that you cannot see, and no text was recognised in it: say so)'

export function whyUnseen({ isPicture, image }: AttachedFile, model: LanguageModel): string | undefined {
  if (!isPicture) return undefined
  if (model.seesPictures === undefined && !model.onlyQuotes)
    return `it is not known whether the model ${model.id} sees pictures`
  if (!model.seesPictures) return `the model ${model.id} does not see pictures`
  return image ? undefined : 'models see PNG, JPEG, WebP and GIF up to 5 MiB'
}
