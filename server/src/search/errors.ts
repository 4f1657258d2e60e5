import { UnavailableError } from '../platform/errors.ts'

/** The caller handed over what the engine cannot hold: a mistake in our code, never the user's. */
export class SearchInputError extends Error {
  override name = 'SearchInputError'
}

/** The storage of the index does not answer. LanceDB's own error is the `cause`. */
export class SearchUnavailableError extends UnavailableError {
  override name = 'SearchUnavailableError'
  constructor(options?: ErrorOptions) {
    super('The server cannot reach its search index at the moment', options)
  }
}

/** The index cannot be read. It is derived, so the server makes it again by itself. LanceDB's own error is the `cause`. */
export class SearchDamagedError extends UnavailableError {
  override name = 'SearchDamagedError'
  override readonly retryAfterSeconds = 15
  constructor(options?: ErrorOptions) {
    super('The search index cannot be read at the moment: the server looks into it and makes it again', options)
  }
}
