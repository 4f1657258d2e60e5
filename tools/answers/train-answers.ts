// node tools/run.mjs tools/answers/train-answers.ts FOLDER: fits the weights of builtin/extractive to a question set
// (corpus.jsonl, queries.jsonl with answers, qrels.jsonl, unanswerable.jsonl), prints how good those of one half of its
// articles are on the other half, and writes those of all articles to server/src/agents/extractive/weights.ts.
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { answerFeatures } from '../../server/src/agents/extractive/answer-features.ts'
import { type Ranked, rankCandidates, scoreOf, takeEnough } from '../../server/src/agents/extractive/pick-sentences.ts'
import type { Features } from '../../server/src/agents/extractive/sentence-features.ts'
import type { Weights } from '../../server/src/agents/extractive/weights.ts'
import { fitDecision, fitRanking } from './fit-weights.ts'
import { type Example, findExamples } from './training-examples.ts'

/** Share of the answerable questions that may be declined: the bias is set for it. */
const DECLINED = 0.04
/** Questions made to be mistaken for answerable teach nothing but noise. */
const UNUSED = 'adversarial'
const WEIGHTS_FILE = path.join(import.meta.dirname, '../../server/src/agents/extractive/weights.ts')

interface Judged {
  example: Example
  ranked: Ranked[]
  features: Features
}

const [folder] = process.argv.slice(2)
if (!folder) throw new Error('Name the folder of the question set')
const examples = (await findExamples(folder)).filter(({ candidates }) => candidates.length > 0)
const [first, second] = [0, 1].map((half) => examples.filter((example) => example.half === half)) as [
  Example[],
  Example[],
]

const [ofFirst, ofSecond] = [rankingOf(first), rankingOf(second)]
// Each half is ranked by the weights of the other, as questions will be that no weights have seen.
const unseen = [...judge(first, ofSecond), ...judge(second, ofFirst)]
const decisions = [0, 1].map((half) => decisionOf(unseen.filter(({ example }) => example.half === half)))
const scored = unseen.map((judged) => ({
  judged,
  score: scoreOf(judged.features, decisions[1 - judged.example.half] as Weights),
}))
printFigures(scored)

const sentence = rankingOf(examples)
const answer = decisionOf(unseen)
const bias = thresholdOf(unseen.map((judged) => ({ judged, score: scoreOf(judged.features, answer) })))
await writeFile(WEIGHTS_FILE, toSource(sentence, { ...answer, bias: (answer.bias ?? 0) - bias }))

function rankingOf(among: readonly Example[]): Weights {
  const choices = among
    .filter(({ right }) => right.size > 0)
    .map(({ candidates, right, intended }) => {
      const wanted = intended.size > 0 ? intended : right
      return candidates.map((candidate) => ({ features: candidate.features, isRight: wanted.has(candidate) }))
    })
  return fitRanking(choices)
}

function judge(among: readonly Example[], weights: Weights): Judged[] {
  return among.map((example) => {
    const ranked = rankCandidates(example.candidates, weights)
    const [best] = ranked as [Ranked]
    return {
      example,
      ranked,
      features: answerFeatures(example.question, example.passages, example.candidates, best.candidate),
    }
  })
}

function decisionOf(among: readonly Judged[]): Weights {
  return fitDecision(
    among
      .filter(({ example }) => example.kind !== UNUSED)
      .map(({ features, example }) => ({ features, isRight: example.kind === 'answerable' })),
  )
}

function thresholdOf(all: readonly { judged: Judged; score: number }[]): number {
  const scores = all.filter(({ judged }) => judged.example.kind === 'answerable').map(({ score }) => score)
  return scores.sort((a, b) => a - b)[Math.floor(scores.length * DECLINED)] ?? 0
}

function printFigures(all: readonly { judged: Judged; score: number }[]): void {
  const threshold = thresholdOf(all)
  const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`
  for (const [kind, of] of Map.groupBy(all, ({ judged }) => judged.example.kind)) {
    console.log(
      `${kind}: ${percent(of.filter(({ score }) => score < threshold).length, of.length)} of ${of.length} declined`,
    )
  }
  const answerable = all.filter(({ judged }) => judged.example.kind === 'answerable')
  const given = answerable.filter(({ score }) => score >= threshold).map(({ judged }) => judged)
  const quoted = given.map(({ ranked }) => takeEnough(ranked))
  const right = quoted.filter((taken, place) => taken.some((candidate) => given[place]?.example.right.has(candidate)))
  console.log(`accepted answer quoted: ${percent(right.length, answerable.length)} of all answerable questions`)
  const sentences = quoted.reduce((sum, taken) => sum + taken.length, 0)
  console.log(`sentences of an answer: ${(sentences / quoted.length).toFixed(2)}`)
}

function toSource(sentence: Weights, answer: Weights): string {
  const table = (weights: Weights) =>
    Object.entries(weights)
      .filter(([, weight]) => Math.abs(weight) >= 0.001)
      .map(([name, weight]) => `  ${/^\w+$/.test(name) ? name : `'${name}'`}: ${Number(weight.toPrecision(4))},\n`)
      .join('')
  return `/** Weights of features, made by tools/answers/train-answers.ts; \`bias\` is added. */
export type Weights = Record<string, number>

export const SENTENCE_WEIGHTS: Weights = {
${table(sentence)}}

export const ANSWER_WEIGHTS: Weights = {
${table(answer)}}
`
}
