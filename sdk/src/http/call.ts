/** An answer with the response that brought it. */
export interface Answered<T> {
  data: T
  /** Status and headers; the body was read, except where it is the data. */
  response: Response
  /** Id of the request in the server's log. */
  requestId: string | undefined
}

/** A request on its way. To await it gives its data; it was sent when the method was called. */
export class Call<T> extends Promise<T> {
  /** Makes plain promises of what is chained to a call. */
  static override get [Symbol.species]() {
    return Promise
  }

  readonly #answered: Promise<Answered<T>>

  constructor(answered: Promise<Answered<T>>) {
    // This one never rejects: a failure is that of `answered`, and thrown once.
    super(() => {})
    this.#answered = answered
  }

  // biome-ignore lint/suspicious/noThenProperty: a promise that can tell its response, too.
  override then<A = T, B = never>(
    onAnswer?: ((data: T) => A | PromiseLike<A>) | null,
    onFailure?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#answered.then(({ data }) => data).then(onAnswer, onFailure)
  }

  /** The data together with the response: its status, its headers, and the id of the request. */
  withResponse(): Promise<Answered<T>> {
    return this.#answered
  }
}

/** Copy of a call whose data is made of that of another one. */
export const converted = <T, U>(call: Call<T>, convert: (data: T) => U | Promise<U>): Call<U> =>
  new Call(call.withResponse().then(async (answered) => ({ ...answered, data: await convert(answered.data) })))
