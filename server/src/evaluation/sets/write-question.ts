import type { Location } from '../../content/read/parsed-document.ts'
import type { LanguageModel, ModelUsage } from '../../platform/models/model.ts'
import { askForObject, marked } from '../measures/ask-for-object.ts'

/** Writes a question that a passage answers, with the words of the passage that answer it; undefined if none comes. */
export type WriteQuestion = (
  title: string,
  passage: { text: string; location: Location },
) => Promise<{ question: string; answer: string } | undefined>

export type CountUsage = (model: LanguageModel, usage: ModelUsage) => Promise<void>

const PARAMETERS = {
  type: 'object',
  properties: {
    question: { type: 'string', description: 'One question that the passage answers, complete in itself' },
    answer: { type: 'string', description: 'Words of the passage that answer it, copied letter by letter' },
  },
  required: ['question', 'answer'],
}

/** Characters of a passage that the model reads. */
const MOST_READ = 6_000

/** Has a model write questions. @throws ModelError */
export const writesQuestions =
  (model: LanguageModel, countUsage: CountUsage, signal: AbortSignal): WriteQuestion =>
  async (title, { text }) => {
    const { value, usage } = await askForObject<{ question: unknown; answer: unknown }>(
      model,
      {
        name: 'write_question',
        description: 'Takes the question and its answer',
        parameters: PARAMETERS,
        instructions:
          'You write questions that test whether people find things in documents. Given a passage, write one question that somebody would ask who does not know the document, that this passage answers, in the language of the passage. Do not mention the passage or the document.',
        material: `<passage of="${marked(title, 200).replaceAll('"', "'")}">\n${marked(text, MOST_READ)}\n</passage>`,
      },
      signal,
    )
    await countUsage(model, usage)
    const { question, answer } = value ?? {}
    if (typeof question !== 'string' || typeof answer !== 'string') return undefined
    return question.trim() && answer.trim() ? { question: question.trim(), answer: answer.trim() } : undefined
  }
