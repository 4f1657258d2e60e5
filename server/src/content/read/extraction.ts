import type { Block } from './parsed-document.ts'
import type { ParseLimits } from './parser/parse-limits.ts'

/** A local file with the bytes of a document. */
export interface SourceFile {
  path: string
  /** Title or file name: only a hint, the content decides. */
  name: string
  sizeBytes: number
  /** The first 64 KiB. */
  head: Buffer
}

export type ReadingStage = 'reading' | 'ocr'

/** Limits and callbacks of an extractor. */
export interface ExtractContext {
  limits: ParseLimits
  /** Languages whose text is recognised in pictures, as Tesseract calls them. */
  ocrLanguages: readonly string[]
  /** Other languages that a picture of this file may be in. */
  languages: PictureLanguages
  /** Folder with the data for them, unpacked when first asked for. */
  tessdataFolder(): Promise<string>
  /** A folder of this file alone, removed after it. */
  workFolder(): Promise<string>
  /** Pages done since the last call; they extend the time limit. */
  pagesDone(count: number): void
  /** How far the file is, in pages; `ocr` while text is recognised. */
  progress(stage: ReadingStage, done: number, total: number | null): void
  /** Something that was left out, in words for a person. */
  note(text: string): void
  /** Called before a parser that may run away: starts the watch over memory. */
  guard(): void
  /** 0 for the upload itself, 1 for its attachments. */
  depth: number
}

interface PictureLanguages {
  /** Languages in which pictures of this file were read, the last one at the end. */
  found: Set<string>
  /** Pictures on which all were tried in vain. */
  vain: number
  /** Brings the data of one, or only looks for it on this machine. @returns whether it is there */
  load(language: string, isOnlyAtHand: boolean): Promise<boolean>
}

/** A document being read: `title` may become known only while the blocks are. */
export interface Extraction {
  format: string
  title?: string
  blocks: Iterable<Block> | AsyncIterable<Block>
}

export type Extractor = (file: SourceFile, context: ExtractContext) => Promise<Extraction>
