/** The caller handed over what the engine cannot hold: a mistake in our code, never the user's. */
export class SearchInputError extends Error {
  override name = 'SearchInputError'
}
