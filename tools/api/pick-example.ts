import type { Answer, Example } from './recorded.ts'
import { tidyExample } from './tidy-example.ts'

/** Characters of an answer as JSON that are still pleasant to read. */
const LONGEST = 2_500

/** The most telling of the successes, without what is another one at each run; undefined if there is none. */
export function pickExample(answers: Answer[]): Example | undefined {
  const good = answers.filter(({ status }) => status < 300).map(tidyExample)
  const readable = good.filter((one) => lengthOf(one) <= LONGEST)
  const best = readable.sort(
    (a, b) => kindOf(a) - kindOf(b) || amountOf(b) - amountOf(a) || lengthOf(a) - lengthOf(b),
  )[0]
  return best ?? good.sort((a, b) => lengthOf(a) - lengthOf(b))[0]
}

const lengthOf = (value: unknown): number => JSON.stringify(value ?? null).length

/** JSON says most, then text. */
const kindOf = ({ answer }: Example): number => (answer === undefined ? 2 : typeof answer === 'string' ? 1 : 0)

/** Number of values, or of characters of text; values of the request are counted again. */
const amountOf = ({ answer, body, query }: Example): number =>
  (typeof answer === 'string' ? answer.length : leavesOf(answer)) + leavesOf(body) + leavesOf(query)

function leavesOf(value: unknown): number {
  if (value === null || value === undefined) return 0
  if (typeof value !== 'object') return 1
  return Object.values(value).reduce<number>((sum, one) => sum + leavesOf(one), 0)
}
