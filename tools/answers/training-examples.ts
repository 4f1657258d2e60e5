import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { holdsOneOf, toSearchData } from '../../bench/retrieval/extractive-answers.ts'
import { indexCorpus } from '../../bench/retrieval/question-index.ts'
import { readQuestionSet } from '../../bench/retrieval/question-set.ts'
import { readQuestion } from '../../server/src/agents/extractive/asked-question.ts'
import { type Candidate, candidatesOf } from '../../server/src/agents/extractive/sentence-features.ts'
import type { SearchKnowledgeData } from '../../server/src/retrieval/search-data.ts'
import { LanceEngine } from '../../server/src/search/lance/lance-engine.ts'

/** A question with the sentences that may answer it. */
export interface Example {
  question: string
  /** `answerable`, `left out` (asked without the article that answers it) or a kind of the set's unanswerable ones. */
  kind: string
  /** Half of the articles that it belongs to, 0 or 1. */
  half: number
  data: SearchKnowledgeData
  candidates: Candidate[]
  /** Candidates that hold an accepted answer, and those of them that are in the passage the question was made from. */
  right: Set<Candidate>
  intended: Set<Candidate>
}

/** Searches for each question of a set, and for every second one again without the article that answers it. */
export async function findExamples(folder: string): Promise<Example[]> {
  const uri = await mkdtemp(path.join(tmpdir(), 'docent-answers-'))
  const engine = new LanceEngine({ uri, onBackgroundError: (error) => process.exit(Number(console.error(error)) || 1) })
  try {
    const set = await readQuestionSet(folder)
    const index = await indexCorpus(engine, 'answers', set.corpus)
    const titles = new Map(set.corpus.map(({ id, title }) => [id, title]))
    const articles = [...new Set(titles.values())].sort()

    const find = async (example: Pick<Example, 'question' | 'kind' | 'half'>, without?: string) => {
      const { hits, terms } = await index.search(example.question, 5, without)
      const data = toSearchData({ hits, terms, titleOf: (hit) => index.passageOf(hit).title })
      const asked = readQuestion(example.question, terms)
      const candidates = asked ? candidatesOf(asked, data.passages) : []
      const sources = hits.map((hit) => index.passageOf(hit).id)
      return { example: { ...example, data, candidates }, sources }
    }

    const examples: Example[] = []
    for (const [place, { id, text, answers = [] }] of set.questions.entries()) {
      const [source = ''] = set.relevant.get(id)?.keys() ?? []
      const article = titles.get(source) ?? ''
      const half = articles.indexOf(article) % 2
      const { example, sources } = await find({ question: text, kind: 'answerable', half })
      const right = example.candidates.filter((candidate) => holdsOneOf(candidate.text, answers))
      const intended = right.filter(({ rank }) => sources[rank] === source)
      examples.push({ ...example, right: new Set(right), intended: new Set(intended) })
      if (place % 2 === 0) {
        const leftOut = await find({ question: text, kind: 'left out', half }, article)
        examples.push({ ...leftOut.example, right: new Set(), intended: new Set() })
      }
    }
    for (const [place, { text, kind }] of set.unanswerable.entries()) {
      const { example } = await find({ question: text, kind, half: place % 2 })
      examples.push({ ...example, right: new Set(), intended: new Set() })
    }
    return examples
  } finally {
    await engine.close()
    await rm(uri, { recursive: true, force: true })
  }
}
