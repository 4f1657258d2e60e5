import { createReadStream, existsSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'

export interface CorpusPassage {
  id: string
  title: string
  text: string
}

export interface Question {
  id: string
  text: string
  /** Accepted answers, each a literal substring of the passage that holds it. */
  answers?: string[]
}

export interface UnanswerableQuestion {
  id: string
  text: string
  /** `off-topic`: about something else altogether. `adversarial`: the words of the corpus, but no answer. */
  kind: string
}

export interface QuestionSet {
  name: string
  corpus: CorpusPassage[]
  questions: Question[]
  /** Grades of the relevant passages, by question. */
  relevant: Map<string, Map<string, number>>
  unanswerable: UnanswerableQuestion[]
}

export async function readQuestionSet(folder: string): Promise<QuestionSet> {
  const file = (name: string) => path.join(folder, `${name}.jsonl`)
  const relevant = new Map<string, Map<string, number>>()
  for (const { q, d, g } of await readLines<{ q: string; d: string; g: number }>(file('qrels'))) {
    const grades = relevant.get(q) ?? new Map<string, number>()
    relevant.set(q, grades.set(d, g))
  }
  return {
    name: path.basename(folder),
    corpus: await readLines(file('corpus')),
    questions: await readLines(file('queries')),
    relevant,
    unanswerable: existsSync(file('unanswerable')) ? await readLines(file('unanswerable')) : [],
  }
}

export async function readLines<T>(file: string): Promise<T[]> {
  const values: T[] = []
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line) values.push(JSON.parse(line) as T)
  }
  return values
}
