import { foldCopies } from '../../server/src/retrieval/reading/fold-copies.ts'
import type { SearchEngine } from '../../server/src/search/engine.ts'
import { percentile, watchEventLoop } from '../support/latencies.ts'
import { ANSWER_PASSAGES, answerFrom, holdsOneOf } from './extractive-answers.ts'
import { indexCorpus, type QuestionIndex } from './question-index.ts'
import type { CorpusPassage, Question, QuestionSet } from './question-set.ts'
import { type Ranking, type RankingScores, scoreRankings } from './ranking-scores.ts'
import { embedAll, type GivenModels, measureWays } from './ways.ts'

export interface SetFigures {
  passages: number
  chunks: number
  chunksPerSecond: number
  questions: number
  p50Ms: number
  p99Ms: number
  /** Longest time that the event loop stood still, while indexing and while searching. */
  blockedIndexingMs: number
  blockedSearchingMs: number
  ranking: RankingScores
  /** Each way to rank alone, where models were given. */
  ways: Record<string, RankingScores>
  answers?: AnswerFigures
}

/** Shares of questions, 0 to 1. */
export interface AnswerFigures {
  /** Share of the answerable ones with an accepted answer in one of the passages that the answer is made from. */
  inPassages: number
  /** An accepted answer is in the answer; a question that was declined counts as not answered. */
  answered: number
  /** Share answered among the questions that were not declined. */
  answeredOfTried: number
  declined: number
  /** Declined among the unanswerable ones, by kind. */
  declinedOf: Record<string, number>
}

/** Chunks asked for: enough that 20 different passages are among them. */
const HITS = 40
/** One of so many questions is asked again without the article that answers it. */
const LEFT_OUT_EACH = 4

export async function measureSet(
  engine: SearchEngine,
  set: QuestionSet,
  models: GivenModels = {},
  beside: CorpusPassage[] = [],
): Promise<SetFigures> {
  const { embedding, reranker } = models
  const eventLoop = watchEventLoop()
  const indexingFrom = performance.now()
  const embed = embedding && ((texts: string[]) => embedAll(embedding, texts, 'document'))
  const index = await indexCorpus(engine, set.name, set.corpus, { embed, beside })
  const indexingMs = performance.now() - indexingFrom
  const blockedIndexingMs = eventLoop.longestMs()

  const times: number[] = []
  const rankings: Ranking[] = []
  for (const question of set.questions) {
    const from = performance.now()
    const { hits } = await index.search(question.text, HITS)
    times.push(performance.now() - from)
    const ranked = [...new Set(hits.map((hit) => index.passageOf(hit).id))]
    rankings.push({ ranked, relevant: set.relevant.get(question.id) ?? new Map() })
  }
  const blockedSearchingMs = eventLoop.longestMs()
  eventLoop.stop()

  const withAnswers = set.questions.filter(({ answers }) => answers)
  return {
    passages: set.corpus.length,
    chunks: index.chunks,
    chunksPerSecond: index.chunks / (indexingMs / 1000),
    questions: set.questions.length,
    p50Ms: percentile(times, 0.5),
    p99Ms: percentile(times, 0.99),
    blockedIndexingMs,
    blockedSearchingMs,
    ranking: scoreRankings(rankings),
    ways: embedding || reranker ? await measureWays(index, set, models) : {},
    ...(withAnswers.length > 0 && { answers: await measureAnswers(index, withAnswers, set) }),
  }
}

async function measureAnswers(index: QuestionIndex, questions: Question[], set: QuestionSet): Promise<AnswerFigures> {
  let inPassages = 0
  let answered = 0
  let declined = 0
  for (const { text, answers = [] } of questions) {
    const { answer, passages } = await ask(index, text)
    if (holdsOneOf(passages.join('\n'), answers)) inPassages += 1
    if (answer === undefined) declined += 1
    else if (holdsOneOf(answer, answers)) answered += 1
  }
  const kinds = Map.groupBy(set.unanswerable, ({ kind }) => kind)
  const declinedOf: Record<string, number> = {}
  for (const [kind, unanswerable] of kinds) {
    let count = 0
    for (const { text } of unanswerable) if ((await ask(index, text)).answer === undefined) count += 1
    declinedOf[kind] = count / unanswerable.length
  }
  declinedOf['its article left out'] = await measureLeftOut(index, questions, set)
  return {
    inPassages: inPassages / questions.length,
    answered: answered / questions.length,
    answeredOfTried: answered / (questions.length - declined),
    declined: declined / questions.length,
    declinedOf,
  }
}

/** Share declined of questions that are asked of all articles but the one that answers them. */
async function measureLeftOut(index: QuestionIndex, questions: Question[], set: QuestionSet): Promise<number> {
  const titles = new Map(set.corpus.map(({ id, title }) => [id, title]))
  const asked = questions.filter((_, place) => place % LEFT_OUT_EACH === 0)
  let declined = 0
  for (const { id, text } of asked) {
    const [gold] = set.relevant.get(id)?.keys() ?? []
    if ((await ask(index, text, titles.get(gold ?? ''))).answer === undefined) declined += 1
  }
  return declined / asked.length
}

async function ask(index: QuestionIndex, question: string, without?: string) {
  const found = await index.search(question, 2 * ANSWER_PASSAGES, { without })
  const { terms } = found
  const hits = foldCopies(found.hits, ANSWER_PASSAGES, (hit) => ({
    text: hit.text,
    headings: JSON.parse(hit.location).heading_path ?? [],
  }))
  const answer = await answerFrom(question, { hits, terms, titleOf: (hit) => index.passageOf(hit).title })
  return { answer, passages: hits.map(({ text }) => text) }
}
