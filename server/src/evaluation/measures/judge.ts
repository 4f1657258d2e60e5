import type { LanguageModel, ModelUsage } from '../../platform/models/model.ts'
import { askForObject, marked } from './ask-for-object.ts'

export interface Judgement {
  /** Score from 0 to 1. */
  score: number
  declined: boolean
  reason: string
}

interface Judged {
  question: string
  answer: string
  expectedAnswers: readonly string[]
  referenceAnswer: string | null
  isAnswerable: boolean
}

const INSTRUCTIONS = `You grade answers of an assistant that answers from documents. Give a score by this rubric:
5: right and complete, says nothing that the reference contradicts
4: right, with a small omission or an addition that does no harm
3: partly right: something that matters is missing
2: mostly wrong or beside the question
1: wrong, invented, or no answer though there is one
Where the question cannot be answered from the documents, an answer that says so gets 5, and one that answers all the same 1.
Length, style and citation marks do not matter. Without a reference, judge whether it answers the question without contradicting itself.
declined is true if the answer says that it does not know, or that the documents do not tell.`

const PARAMETERS = {
  type: 'object',
  properties: {
    score: { type: 'integer', minimum: 1, maximum: 5 },
    declined: { type: 'boolean', description: 'Whether it says that it cannot answer' },
    reason: { type: 'string', description: 'The reason in one sentence' },
  },
  required: ['score', 'declined', 'reason'],
}

const MOST_READ = 20_000
const MOST_REASON = 1_000

/** Has a model grade an answer. @returns no judgement where it gave none that can be read @throws ModelError */
export async function judge(
  model: LanguageModel,
  judged: Judged,
  signal: AbortSignal,
): Promise<{ judgement: Judgement | undefined; usage: ModelUsage }> {
  const { value, usage } = await askForObject<{ score: unknown; declined: unknown; reason: unknown }>(
    model,
    {
      name: 'grade',
      description: 'Takes the grade',
      parameters: PARAMETERS,
      instructions: INSTRUCTIONS,
      material: materialOf(judged),
    },
    signal,
  )
  const { score, declined, reason } = value ?? {}
  if (typeof score !== 'number' || !(score >= 1 && score <= 5) || typeof declined !== 'boolean')
    return { judgement: undefined, usage }
  const words = typeof reason === 'string' ? reason.slice(0, MOST_REASON).toWellFormed() : ''
  return { judgement: { score: (score - 1) / 4, declined, reason: words }, usage }
}

function materialOf({ question, answer, expectedAnswers, referenceAnswer, isAnswerable }: Judged): string {
  const section = (name: string, text: string) => `<${name}>\n${marked(text, MOST_READ)}\n</${name}>`
  const parts = [section('question', question)]
  if (!isAnswerable) parts.push('The documents do not answer this question.')
  if (referenceAnswer !== null) parts.push(section('reference', referenceAnswer))
  if (expectedAnswers.length > 0) parts.push(section('expected_one_of', expectedAnswers.join('\n---\n')))
  parts.push(section('answer', answer))
  return parts.join('\n\n')
}
