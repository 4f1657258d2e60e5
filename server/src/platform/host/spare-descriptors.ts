import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import { UnavailableError } from '../errors.ts'

export class TooManyOpenFilesError extends UnavailableError {
  override name = 'TooManyOpenFilesError'
  override readonly retryAfterSeconds = 5
  constructor(cause: unknown) {
    super('The server has too many files and connections open; try again in a moment', { cause })
  }
}

/**
 * Looks whether that many files could be opened now. For native code that ends the process where one cannot.
 * @throws TooManyOpenFilesError if not
 */
export function checkSpareDescriptors(count: number): void {
  const opened: number[] = []
  try {
    while (opened.length < count) opened.push(openSync(devNull, 'r'))
  } catch (cause) {
    throw new TooManyOpenFilesError(cause)
  } finally {
    for (const file of opened) closeSync(file)
  }
}
