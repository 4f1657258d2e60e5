/** What is wrong with what was asked for, in words that a model can act on. */
export class MakeFailure extends Error {
  override name = 'MakeFailure'
}
