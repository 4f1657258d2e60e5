import type { ReadingStage } from '../extraction.ts'
import type { ParseFailure } from '../parse.errors.ts'
import type { MadeParse } from '../stored-parse.ts'
import type { ParseLimits } from './parse-limits.ts'

/** Message to the child: read this file. It gets one at a time. */
export interface ParseTask {
  path: string
  name: string
  /** A recording that was transcribed: JSON of ours. */
  isTranscript: boolean | undefined
  /** File for chunks too many for a message; complete when `done` comes. */
  outputPath: string
  /** Folder for this file alone; removed after the file. */
  workFolder: string
  /** Folder for unpacked data, kept for later files. */
  cacheFolder: string
  limits: ParseLimits
  ocrLanguages: readonly string[]
}

/** Message to the child: whether the data of a language is in the cache folder now. */
export interface LanguageAnswer {
  language: string
  isThere: boolean
}

/** Reply of the child. `rssMb` is its memory after the file, by which the parent decides whether it is used again. */
export type ChildMessage =
  /** Asks for the data of a language; the answer is a `LanguageAnswer`. */
  | { type: 'language'; language: string; isOnlyAtHand: boolean }
  | { type: 'pages'; count: number }
  | { type: 'progress'; stage: ReadingStage; done: number; total: number | null }
  | { type: 'done'; made: MadeParse; rssMb: number }
  | { type: 'failed'; failure: ParseFailure; message: string }
  | { type: 'error'; stack: string; code?: string }
