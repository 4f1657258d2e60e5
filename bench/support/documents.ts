import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { indexedText } from '../../server/src/content/chunks/indexed-text.ts'
import { ParseError } from '../../server/src/content/read/parse.errors.ts'
import type { Chunk } from '../../server/src/content/read/parsed-document.ts'
import { createParser, type Parser } from '../../server/src/content/read/parser/parse-file.ts'
import { readChunks } from '../../server/src/content/read/stored-parse.ts'

/** A document of a folder's `manifest.json` and what its text has to hold. */
interface Expected {
  file: string
  must?: string[]
  mustNot?: string[]
  headings?: string[]
  tableCells?: string[]
  attachments?: string[]
  attachmentText?: string[]
  expectError?: 'password' | 'corrupt'
}

interface Result {
  file: string
  ms: number
  outcome: string
  problems: string[]
}

const errorWords = { password: /password/i, corrupt: /damaged|cut off/i }

/**
 * `documents FOLDER`: parses every document of FOLDER/manifest.json as an upload would be, and compares what comes out
 * with what the manifest expects. Prints a line for each; the exit code is 1 when one differs.
 */
export async function run(args: string[]): Promise<void> {
  const [folder] = args
  if (!folder) throw new Error('Name the folder with manifest.json: npm run bench -- documents FOLDER')
  const manifest = JSON.parse(await readFile(path.join(folder, 'manifest.json'), 'utf8')) as { documents: Expected[] }
  const work = await mkdtemp(path.join(tmpdir(), 'docent-documents-'))
  const parser = createParser({ cacheFolder: path.join(work, 'cache') })
  const results: Result[] = []
  try {
    for (const expected of manifest.documents) results.push(await check(parser, folder, expected, work))
  } finally {
    await parser.close()
    await rm(work, { recursive: true, force: true })
  }
  print(results)
  if (results.some((result) => result.problems.length > 0)) process.exitCode = 1
}

async function check(parser: Parser, folder: string, expected: Expected, work: string): Promise<Result> {
  const outputPath = path.join(work, 'parse.jsonl')
  const started = performance.now()
  const took = () => performance.now() - started
  try {
    const parsed = await parser.parse({ path: path.join(folder, expected.file), name: expected.file, outputPath })
    const ms = took()
    const outcome = `${parsed.format}, ${parsed.chunkCount} chunks, ${parsed.words} words`
    if (expected.expectError)
      return { file: expected.file, ms, outcome, problems: [`no error (${expected.expectError})`] }
    const chunks: Chunk[] = []
    for await (const batch of readChunks(parsed.stored())) chunks.push(...batch)
    return { file: expected.file, ms, outcome, problems: compare(expected, chunks) }
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
    const fits = expected.expectError !== undefined && errorWords[expected.expectError].test(error.message)
    return {
      file: expected.file,
      ms: took(),
      outcome: error.message,
      problems: fits ? [] : ['an error of this kind was not expected'],
    }
  }
}

function compare(expected: Expected, chunks: Chunk[]): string[] {
  const text = fold(chunks.map((chunk) => indexedText('', chunk)).join('\n'))
  const headings = new Set(chunks.flatMap(({ text, location }) => [text, ...(location.heading_path ?? [])]).map(fold))
  const attached = chunks.filter((chunk) => chunk.location.attachment !== undefined)
  const attachedText = fold(attached.map((chunk) => chunk.text).join('\n'))
  const names = new Set(attached.map((chunk) => chunk.location.attachment))
  return [
    ...[...(expected.must ?? []), ...(expected.tableCells ?? [])].filter((phrase) => !text.includes(fold(phrase))),
    ...(expected.mustNot ?? []).filter((phrase) => text.includes(fold(phrase))).map((phrase) => `found ${phrase}`),
    ...(expected.headings ?? [])
      .filter((heading) => !headings.has(fold(heading)))
      .map((heading) => `heading ${heading}`),
    ...(expected.attachments ?? []).filter((name) => !names.has(name)).map((name) => `attachment ${name}`),
    ...(expected.attachmentText ?? []).filter((phrase) => !attachedText.includes(fold(phrase))),
  ]
}

function fold(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim()
}

function print(results: Result[]): void {
  const width = Math.max(...results.map((result) => result.file.length))
  for (const { file, ms, outcome, problems } of results) {
    console.log(
      `${problems.length === 0 ? 'pass' : 'FAIL'}  ${file.padEnd(width)}  ${ms.toFixed(0).padStart(6)} ms  ${outcome}`,
    )
    for (const problem of problems) console.log(`      missing or wrong: ${problem}`)
  }
  const failed = results.filter((result) => result.problems.length > 0).length
  console.log(`\n${results.length - failed} of ${results.length} documents as expected`)
}
