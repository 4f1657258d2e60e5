/** A request that cannot be made, in words that a model can act on. */
export class MakeFailure extends Error {
  override name = 'MakeFailure'
  readonly problem: string
  readonly advice: string

  /** @param advice what a model can make instead */
  constructor(problem: string, advice = '') {
    super(`${problem} ${advice}`.trim())
    this.problem = problem
    this.advice = advice
  }
}
