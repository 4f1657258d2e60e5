import { readFileSync } from 'node:fs'

/** Answers and error codes that tests got from the API, by operation. Written by `npm run record`. */
export const RECORDED_FILE = new URL('recorded.json', import.meta.url)

/** One answer, with the request for it, as `server/tests/support/http/record-answers.ts` writes it down. */
export interface Answer {
  operation: string
  status: number
  params: Record<string, string>
  query: Record<string, unknown>
  body?: unknown
  /** JSON as its value, text and events as a string; absent for other bytes. */
  answer?: unknown
  /** Headers of what is sent as a file. */
  headers?: Record<string, string>
}

export interface Example {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
  answer?: unknown
  headers?: Record<string, string>
}

export type Recorded = Record<string, { errors: string[]; example?: Example | undefined }>

export function readRecorded(): Recorded {
  try {
    return JSON.parse(readFileSync(RECORDED_FILE, 'utf8'))
  } catch {
    return {}
  }
}
