import type { DocentError } from '@docent/sdk'
import { LANGUAGE, withMessages } from './language.ts'

let words: typeof import('./server-words.section.ts') | undefined

/** Loads what the server says of failures in the UI's language: to be awaited before one is shown. Never rejects. */
export async function loadServerWords(): Promise<void> {
  if (LANGUAGE === 'en' || words) return
  try {
    words = await withMessages('server-words', () => import('./server-words.section.ts'))
  } catch {
    // The server's English is shown instead, and the next failure tries again.
  }
}

/** Sentence about an error in the UI's language; undefined where the server's own is shown. */
export const errorInWords = (error: DocentError): string | undefined => words?.errorInWords(error)

/** Sentence about an answer that failed in the UI's language; undefined where the server's own is shown. */
export const answerInWords = (message: string): string | undefined => words?.answerInWords(message)

/** Sentence about a value in the UI's language; undefined where the server's own is shown. */
export const problemInWords = (problem: string): string | undefined => words?.problemInWords(problem)
