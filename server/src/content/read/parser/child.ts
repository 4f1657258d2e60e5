import { mkdir, rm } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { createWatchdog } from '../../../platform/host/watchdog.ts'
import { Chunker } from '../../chunks/chunk-document.ts'
import { countWords } from '../../chunks/count-words.ts'
import { extractTranscript } from '../audio/transcript.ts'
import { extract } from '../extract.ts'
import type { ExtractContext, Extraction } from '../extraction.ts'
import { ParseError, parseFailures } from '../parse.errors.ts'
import type { Block, Chunk } from '../parsed-document.ts'
import { unpackTessdata } from '../pictures/ocr-data.ts'
import { openSource } from '../source-file.ts'
import { type MadeParse, makeStoredParse } from '../stored-parse.ts'
import type { ChildMessage, LanguageAnswer, ParseTask } from './child-messages.ts'

// The process in which files are read, one after the other: task in, stored parse out. Answering
// people goes before reading files.
const LOW_PRIORITY = 5
const MAX_NOTES = 20

const watchdog = createWatchdog()

try {
  setPriority(LOW_PRIORITY)
} catch {
  // Not allowed in every container.
}
const wanted = new Map<string, (isThere: boolean) => void>()

process.on('message', (message: ParseTask | LanguageAnswer) => {
  if ('isThere' in message) {
    wanted.get(message.language)?.(message.isThere)
    wanted.delete(message.language)
    return
  }
  answer(message).catch((error) => {
    // Not even that could be said: the end of this process says it.
    console.error(error)
    process.exit(1)
  })
})
process.on('disconnect', () => process.exit())

async function answer(task: ParseTask): Promise<void> {
  try {
    const made = await read(task)
    send({ type: 'done', made, rssMb: process.memoryUsage.rss() / (1024 * 1024) })
  } catch (error) {
    send(failureMessage(error))
  }
}

async function read(task: ParseTask): Promise<MadeParse> {
  watchdog.beginFile(task.limits.mostMs)
  const notes: string[] = []
  let hasWorkFolder = false
  const file = openSource(task.path, task.name)
  const context: ExtractContext = {
    limits: task.limits,
    ocrLanguages: task.ocrLanguages,
    languages: { found: new Set(), vain: 0, load: askForLanguage },
    tessdataFolder: () => unpackTessdata(task.cacheFolder, task.ocrLanguages),
    workFolder: async () => {
      hasWorkFolder = true
      await mkdir(task.workFolder, { recursive: true })
      return task.workFolder
    },
    pagesDone: (count) => {
      if (count > 0) send({ type: 'pages', count })
    },
    progress: (stage, done, total) => send({ type: 'progress', stage, done, total }),
    note: (text) => {
      if (notes.length < MAX_NOTES && !notes.includes(text)) notes.push(text)
    },
    guard: () => watchdog.watch(task.limits.rssMb),
    depth: 0,
  }
  const extraction = await (task.isTranscript ? extractTranscript : extract)(file, context)
  let chunkCount = 0
  let words = 0
  async function* counted(): AsyncGenerator<Chunk> {
    for await (const chunk of chunkBlocks(extraction)) {
      chunkCount++
      words += countWords(chunk.text)
      yield chunk
    }
    if (chunkCount === 0) throw parseFailures.empty()
  }
  const made = await makeStoredParse(task.outputPath, counted(), () => ({
    format: extraction.format,
    title: extraction.title,
    chunkCount,
    words,
    notes,
  }))
  if (hasWorkFolder) await rm(task.workFolder, { recursive: true, force: true })
  return made
}

/** Asks the parent, which alone reaches the network. */
function askForLanguage(language: string, isOnlyAtHand: boolean): Promise<boolean> {
  return new Promise((resolve) => {
    wanted.set(language, resolve)
    send({ type: 'language', language, isOnlyAtHand })
  })
}

async function* chunkBlocks({ blocks }: Extraction): AsyncGenerator<Chunk> {
  const chunker = new Chunker()
  for await (const block of blocks as AsyncIterable<Block>) yield* chunker.push(block)
  yield* chunker.finish()
}

function failureMessage(error: unknown): ChildMessage {
  if (error instanceof ParseError) return { type: 'failed', failure: error.failure, message: error.message }
  const { stack, code } =
    error instanceof Error ? (error as NodeJS.ErrnoException) : { stack: String(error), code: undefined }
  return { type: 'error', stack: String(stack).slice(0, 4_000), code }
}

function send(message: ChildMessage): void {
  process.send?.(message)
}
