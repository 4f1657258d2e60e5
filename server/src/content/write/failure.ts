/** A request that cannot be made, in words that a model can act on. */
export class MakeFailure extends Error {
  override name = 'MakeFailure'
}
