import type { Chart } from './charts/chart.schema.ts'
import type { Page } from './written-document.ts'

/** A picture that documents may show, as it was made before. */
export interface GivenPicture {
  name: string
  mediaType: string
  bytes: Uint8Array
}

/** Request to the child process that makes a file. */
export type MakeRequest =
  | { kind: 'pdf' | 'docx' /** Markdown. */; content: string; title: string; page: Page; pictures: GivenPicture[] }
  | { kind: 'xlsx' /** CSV or JSON. */; content: string }
  | { kind: 'csv' /** Or tab-separated. */; content: string }
  | { kind: 'png' | 'svg'; chart: Chart }

/** Message to the process. */
export interface MakeTask {
  request: MakeRequest
  /** Files of the operator's, for letters that our own fonts lack. */
  fonts: string[]
}

export interface MadeFile {
  bytes: Buffer
  /** Notes for the model about the file. */
  notes: string[]
  /** Markdown that shows what is in it, where the content does not. */
  summary?: string
  /** A small picture of it. */
  picture?: { mediaType: string; bytes: Uint8Array }
}

/** Reply of the process: the file, or why there is none. */
export type MakeAnswer =
  | { type: 'made'; file: MadeFile }
  /** The model can correct this and try again. */
  | { type: 'refused'; problem: string; advice?: string }
  | { type: 'failed'; stack: string }
