import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { LanceEngine } from '../server/src/search/lance/lance-engine.ts'
import { type DocumentFigures, measureDocuments } from './retrieval/document-questions.ts'
import { measureSet, type SetFigures } from './retrieval/measure-set.ts'
import { type CorpusPassage, type QuestionSet, readQuestionSet } from './retrieval/question-set.ts'
import type { RankingScores } from './retrieval/ranking-scores.ts'
import { modelsOf } from './retrieval/ways.ts'
import { peakMemoryMb } from './support/latencies.ts'

/** Goals of a set, by its name; shares in percent. Sets that are not named here are only measured. */
const FLOORS: Record<string, Partial<Record<string, number>>> = {
  'squad-a': {
    'success@5': 93.5,
    'nDCG@10': 87.5,
    'answer right, of those given': 88,
    'answer right, of all': 85,
    'declined, off-topic': 89.5,
  },
  documents: { 'right, from the right document': 90, 'declined, unanswerable': 80 },
  cranfield: { 'nDCG@10': 35.5, 'recall@20': 50.5 },
}

/**
 * `retrieval FOLDER [--embedding MODEL] [--rerank] [--beside]`: indexes each question set of FOLDER/retrieval in a temporary folder, asks its questions, and
 * prints how well and how fast they are answered; then the same with the documents of FOLDER/documents and its
 * qa.jsonl. With an embedding model (PROVIDER/MODEL or local/FOLDER) or the reranker of DOCENT_RERANK_URL it also prints
 * each way to rank alone. With `--beside` each set is one folder of an organization whose other folders hold all other
 * sets, and short files: the figures should be those without. The exit code is 1 when a set stays under its floor.
 */
export async function run(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      embedding: { type: 'string' },
      rerank: { type: 'boolean', default: false },
      beside: { type: 'boolean', default: false },
    },
  })
  const [folder] = positionals
  if (!folder) throw new Error('Name the folder with the question sets: npm run bench -- retrieval FOLDER')
  const models = values.embedding || values.rerank ? modelsOf(values) : {}
  const sets = path.join(folder, 'retrieval')
  const uri = await mkdtemp(path.join(tmpdir(), 'docent-retrieval-'))
  const engine = new LanceEngine({
    uri,
    shared: false,
    onBackgroundError: (error) => {
      throw error
    },
  })
  try {
    const names = (await readdir(sets)).filter((name) => existsSync(path.join(sets, name, 'corpus.jsonl')))
    const read = await Promise.all(names.map((name) => readQuestionSet(path.join(sets, name))))
    for (const set of read) {
      const others = values.beside ? read.filter((other) => other !== set) : []
      print(set.name, await measureSet(engine, set, models, others.flatMap(withShortFiles)))
    }
    const documents = path.join(folder, 'documents')
    if (existsSync(path.join(documents, 'qa.jsonl'))) printDocuments(await measureDocuments(engine, documents, uri))
  } finally {
    await engine.close()
    await rm(uri, { recursive: true, force: true })
  }
  console.log(`peak memory ${peakMemoryMb().toFixed(0)} MB`)
}

/** Passages of a set, and a file of five words for each. */
const withShortFiles = ({ name, corpus }: QuestionSet): CorpusPassage[] =>
  corpus.flatMap(({ id, title, text }) => [
    { id: `${name} ${id}`, title, text },
    { id: `${name} ${id} short`, title: '', text: text.split(/\s+/, 5).join(' ') },
  ])

function print(name: string, figures: SetFigures): void {
  const { ranking, answers } = figures
  console.log(`\n${name}: ${figures.questions} questions over ${figures.passages} passages, ${figures.chunks} chunks`)
  const shares: [label: string, share: number][] = [
    ['success@1', ranking.success1],
    ['success@5', ranking.success5],
    ['recall@1', ranking.recall1],
    ['recall@5', ranking.recall5],
    ['recall@20', ranking.recall20],
    ['nDCG@10', ranking.ndcg10],
  ]
  if (answers) {
    shares.push(
      ['answer in the passages', answers.inPassages],
      ['answer right, of all', answers.answered],
      ['answer right, of those given', answers.answeredOfTried],
      ['declined, answerable', answers.declined],
      ...Object.entries(answers.declinedOf).map(([kind, share]): [string, number] => [`declined, ${kind}`, share]),
    )
  }
  for (const [label, share] of shares) printShare(name, label, share * 100)
  printWays(figures.ways)
  console.log(`  search p50 ${figures.p50Ms.toFixed(1)} ms, p99 ${figures.p99Ms.toFixed(1)} ms`)
  console.log(`  indexing ${figures.chunksPerSecond.toFixed(0)} chunks/s`)
  console.log(
    `  event loop blocked at most ${figures.blockedIndexingMs.toFixed(0)} ms while indexing, ${figures.blockedSearchingMs.toFixed(0)} ms while searching`,
  )
}

function printWays(ways: SetFigures['ways']): void {
  const shown: [label: string, share: (scores: RankingScores) => number][] = [
    ['nDCG@10', (scores) => scores.ndcg10],
    ['success@1', (scores) => scores.success1],
    ['success@5', (scores) => scores.success5],
    ['recall@20', (scores) => scores.recall20],
  ]
  if (Object.keys(ways).length === 0) return
  console.log(`  ${''.padEnd(22)}${shown.map(([label]) => label.padStart(12)).join('')}`)
  for (const [way, scores] of Object.entries(ways)) {
    const shares = shown.map(([, share]) => `${(share(scores) * 100).toFixed(1)} %`.padStart(12))
    console.log(`  ${way.padEnd(22)}${shares.join('')}`)
  }
}

function printDocuments(figures: DocumentFigures): void {
  console.log(`\ndocuments: ${figures.questions} questions over ${figures.documents} documents of many formats`)
  printShare('documents', 'right, from the right document', figures.right * 100)
  printShare('documents', 'declined, unanswerable', figures.declined * 100)
  for (const mistake of figures.mistakes) console.log(`    ${mistake}`)
}

function printShare(set: string, label: string, percent: number): void {
  const floor = FLOORS[set]?.[label]
  const isUnder = floor !== undefined && percent < floor
  const judged = floor === undefined ? '' : isUnder ? `  UNDER the floor of ${floor}` : `  (at least ${floor})`
  console.log(`  ${label.padEnd(30)}${percent.toFixed(1).padStart(6)} %${judged}`)
  if (isUnder) process.exitCode = 1
}
