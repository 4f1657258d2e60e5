import { UnavailableError } from '../errors.ts'

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
