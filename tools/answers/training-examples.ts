import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ANSWER_PASSAGES, holdsOneOf, toSearchData } from '../../bench/retrieval/extractive-answers.ts'
import { indexCorpus } from '../../bench/retrieval/question-index.ts'
import { readQuestionSet } from '../../bench/retrieval/question-set.ts'
import { type AskedQuestion, readQuestion } from '../../server/src/agents/extractive/asked-question.ts'
import { type Candidate, candidatesOf } from '../../server/src/agents/extractive/sentence-features.ts'
import type { FoundPassage } from '../../server/src/retrieval/search-data.ts'
import type { Hit } from '../../server/src/search/engine.ts'
import { LanceEngine } from '../../server/src/search/lance/lance-engine.ts'

/** A question with the sentences that may answer it. */
export interface Example {
  question: AskedQuestion
  /** `answerable`, `left out` (asked without the article that answers it) or a kind of the set's unanswerable ones. */
  kind: string
  /** Half of the articles that it belongs to, 0 or 1. */
  half: number
  passages: FoundPassage[]
  candidates: Candidate[]
  /** Candidates that hold an accepted answer, and those of them that are in the passage the question was made from. */
  right: Set<Candidate>
  intended: Set<Candidate>
}

interface Answered {
  /** Title of an article whose passages are not searched. */
  without?: string
  answers?: string[]
  /** Passage that the question was made from. */
  source?: string
}

/** Searches for each question of a set, and for every second one again without the article that answers it. */
export async function findExamples(folder: string): Promise<Example[]> {
  const uri = await mkdtemp(path.join(tmpdir(), 'docent-answers-'))
  const engine = new LanceEngine({
    uri,
    shared: false,
    onBackgroundError: (error) => {
      throw error
    },
  })
  try {
    const set = await readQuestionSet(folder)
    const index = await indexCorpus(engine, 'answers', set.corpus)
    const titles = new Map(set.corpus.map(({ id, title }) => [id, title]))
    const articles = [...new Set(titles.values())].sort()

    const examples: Example[] = []
    const add = async (text: string, kind: string, half: number, { without, answers = [], source }: Answered = {}) => {
      const { hits, terms } = await index.search(text, ANSWER_PASSAGES, { without })
      const question = readQuestion(text, terms)
      if (!question) return
      const { passages } = toSearchData({ hits, terms, titleOf: (hit) => index.passageOf(hit).title })
      const candidates = candidatesOf(question, passages)
      const right = candidates.filter((candidate) => holdsOneOf(candidate.text, answers))
      const intended = right.filter(({ rank }) => index.passageOf(hits[rank] as Hit).id === source)
      examples.push({ question, kind, half, passages, candidates, right: new Set(right), intended: new Set(intended) })
    }

    for (const [place, { id, text, answers }] of set.questions.entries()) {
      const [source = ''] = set.relevant.get(id)?.keys() ?? []
      const article = titles.get(source) ?? ''
      const half = articles.indexOf(article) % 2
      await add(text, 'answerable', half, { answers, source })
      if (place % 2 === 0) await add(text, 'left out', half, { without: article })
    }
    for (const [place, { text, kind }] of set.unanswerable.entries()) await add(text, kind, place % 2)
    return examples
  } finally {
    await engine.close()
    await rm(uri, { recursive: true, force: true })
  }
}
