import type { LanguageModel } from '../../platform/models/model.ts'
import type { AttachedFile } from '../../retrieval/retrieval.ts'
import { whyUnseen } from './attach.ts'

/** Sentence for the person about new pictures that the model does not see; undefined if it sees all. */
export function unseenPictures(files: AttachedFile[], model: LanguageModel): string | undefined {
  const sentences = files
    .filter(({ isFromBefore }) => !isFromBefore)
    .flatMap((file) => {
      const why = whyUnseen(file, model)
      const read = file.chunks.length > 0 ? 'only its text was read' : 'it has no text that could be read'
      return why ? [`${file.name}: ${why}; ${read}.`] : []
    })
  return sentences.length > 0 ? sentences.join('\n') : undefined
}
