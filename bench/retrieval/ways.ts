import { toConfig } from '../../server/src/config.ts'
import { indexedText } from '../../server/src/content/chunks/indexed-text.ts'
import { createEmbedding } from '../../server/src/platform/models/embeddings/embeddings.ts'
import type { EmbeddingModel, RerankModel } from '../../server/src/platform/models/model.ts'
import { createServerReranker } from '../../server/src/platform/models/rerank/rerank.ts'
import type { Hit } from '../../server/src/search/engine.ts'
import type { QuestionIndex } from './question-index.ts'
import type { Question, QuestionSet } from './question-set.ts'
import { type Ranking, type RankingScores, scoreRankings } from './ranking-scores.ts'

/** Models beside the words, which are measured where they are given. */
export interface GivenModels {
  embedding?: EmbeddingModel
  reranker?: RerankModel & { depth: number }
}

/** Chunks asked for: enough that 20 different passages are among them. */
const HITS = 40
const AT_ONCE = 256
const signal = new AbortController().signal

/**
 * Models as the server would have them with the settings of the environment.
 * @param embedding `PROVIDER/MODEL` or `local/FOLDER`
 */
export function modelsOf({ embedding, rerank }: { embedding?: string | undefined; rerank: boolean }): GivenModels {
  const { models } = toConfig(process.env)
  const reranker = rerank ? createServerReranker(models) : undefined
  if (rerank && !reranker) throw new Error('--rerank asks the reranker of DOCENT_RERANK_URL, which is not set')
  return {
    ...(embedding && { embedding: createEmbedding(models, { id: embedding }) }),
    ...(reranker && { reranker: { ...reranker, depth: models.rerank.depth } }),
  }
}

export async function embedAll(
  model: EmbeddingModel,
  texts: readonly string[],
  purpose: 'query' | 'document',
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = []
  for (let from = 0; from < texts.length; from += AT_ONCE)
    vectors.push(...(await model.embed(texts.slice(from, from + AT_ONCE), { purpose, signal })))
  return vectors
}

/** How good the rankings by words, by meaning, by both, and by a reranker on top are: each alone. */
export async function measureWays(
  index: QuestionIndex,
  set: QuestionSet,
  { embedding, reranker }: GivenModels,
): Promise<Record<string, RankingScores>> {
  const asked = set.questions.map(({ text }) => text)
  const vectors = embedding && (await embedAll(embedding, asked, 'query'))
  const ranked = async (find: (question: Question, vector?: Float32Array) => Promise<Hit[]>) => {
    const rankings: Ranking[] = []
    for (const [at, question] of set.questions.entries()) {
      const hits = await find(question, vectors?.[at])
      const ids = [...new Set(hits.map((hit) => index.passageOf(hit).id))]
      rankings.push({ ranked: ids, relevant: set.relevant.get(question.id) ?? new Map() })
    }
    return scoreRankings(rankings)
  }
  const find = async (text: string, vector?: Float32Array) => (await index.search(text, HITS, { vector })).hits
  const rerank = async (text: string, hits: Hit[]) => {
    const { score, depth } = reranker!
    const read = hits.slice(0, depth)
    if (read.length < 2) return hits
    const texts = read.map((hit) => indexedText(index.passageOf(hit).title, { text: hit.text, location: {} }))
    const scores = await score(text, texts, { signal })
    const places = [...read.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0))
    return [...places.map((place) => read[place] as Hit), ...hits.slice(depth)]
  }
  return {
    'by words': await ranked(({ text }) => find(text)),
    ...(vectors && {
      'by meaning': await ranked((_, vector) => find('', vector)),
      'by both': await ranked(({ text }, vector) => find(text, vector)),
    }),
    ...(reranker && {
      'reranked, by words': await ranked(async ({ text }) => rerank(text, await find(text))),
      ...(vectors && {
        'reranked, by both': await ranked(async ({ text }, vector) => rerank(text, await find(text, vector))),
      }),
    }),
  }
}
