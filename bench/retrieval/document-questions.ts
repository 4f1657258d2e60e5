import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { headingOf } from '../../server/src/content/chunks/indexed-text.ts'
import { ParseError } from '../../server/src/content/read/parse.errors.ts'
import { createParser, type ParsedFile } from '../../server/src/content/read/parser/parse-file.ts'
import { readChunks } from '../../server/src/content/read/stored-parse.ts'
import { passageId } from '../../server/src/retrieval/space.ts'
import type { SearchEngine } from '../../server/src/search/engine.ts'
import { ANSWER_PASSAGES, answerFrom, holdsOneOf } from './extractive-answers.ts'
import { readLines } from './question-set.ts'

interface DocumentQuestion {
  question: string
  /** Null: none of the documents answers it. */
  document: string | null
  answer: string | null
}

export interface DocumentFigures {
  documents: number
  questions: number
  /** Answered with the right words, from the right document, of those that a document answers. */
  right: number
  /** Declined, of those that none answers. */
  declined: number
  /** Each question that went wrong, and what was answered. */
  mistakes: string[]
}

const SPACE = 'documents'
const GROUP = '0'.repeat(24)

/** Parses, cuts and indexes the documents of a folder as uploads are, and asks the questions of its `qa.jsonl`. */
export async function measureDocuments(
  engine: SearchEngine,
  folder: string,
  workFolder: string,
): Promise<DocumentFigures> {
  const names = (await readdir(folder)).filter((name) => !['manifest.json', 'qa.jsonl'].includes(name))
  const titles = await indexDocuments(engine, folder, names, workFolder)
  const questions = await readLines<DocumentQuestion>(path.join(folder, 'qa.jsonl'))
  const mistakes: string[] = []
  let right = 0
  let declined = 0
  for (const { question, document, answer } of questions) {
    const { hits, terms } = await engine.search(SPACE, { text: question, limit: ANSWER_PASSAGES })
    const titleOf = ({ documentId }: { documentId: string }) => titles.get(documentId) as string
    const given = await answerFrom(question, { hits, terms, titleOf })
    const cites = (mark: string) => titleOf(hits[Number(mark) - 1] as { documentId: string }) === document
    if (document === null && given === undefined) declined += 1
    else if (
      document !== null &&
      given !== undefined &&
      holdsOneOf(given, [answer as string]) &&
      [...given.matchAll(/ \[(\d+)\]/g)].some(([, mark]) => cites(mark as string))
    ) {
      right += 1
    } else mistakes.push(`${question} ${given ?? '(declined)'}`)
  }
  return {
    documents: titles.size,
    questions: questions.length,
    right: right / questions.filter(({ document }) => document !== null).length,
    declined: declined / questions.filter(({ document }) => document === null).length,
    mistakes,
  }
}

async function indexDocuments(
  engine: SearchEngine,
  folder: string,
  names: string[],
  workFolder: string,
): Promise<Map<string, string>> {
  const parser = createParser({ cacheFolder: path.join(workFolder, 'cache') })
  const titles = new Map<string, string>()
  const outputPath = path.join(workFolder, 'parse.jsonl')
  try {
    for (const name of names) {
      const documentId = createHash('sha256').update(name).digest('hex').slice(0, 24)
      let parsed: ParsedFile
      try {
        parsed = await parser.parse({ path: path.join(folder, name), name, outputPath })
      } catch (error) {
        // Documents that are there to be refused.
        if (error instanceof ParseError) continue
        throw error
      }
      titles.set(documentId, name)
      for await (const chunks of readChunks(parsed.stored())) {
        const passages = chunks.map(({ ordinal, text, location }) => ({
          id: passageId(documentId, ordinal),
          documentId,
          groupId: GROUP,
          ordinal,
          heading: headingOf(name, location),
          text,
          location: JSON.stringify(location),
        }))
        await engine.add(SPACE, passages)
      }
    }
    await engine.maintain(SPACE)
  } finally {
    await parser.close()
  }
  return titles
}
