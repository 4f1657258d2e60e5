/** Makes a value when it is first asked for, and then gives the same one: for what takes a start milliseconds. */
export function onFirstUse<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Something that is made when it is first needed, and then kept. */
export interface Lazy<T> {
  /**
   * Gives the same to all who ask while it is being made. A failure rejects for all of them and is not kept: the next
   * tries again.
   */
  get(): Promise<T>
  /** Closes it, so that the next call recreates it. @returns what was made, if anything was */
  forget(): Promise<T> | undefined
}

export function lazy<T>(make: () => Promise<T>): Lazy<T> {
  let made: Promise<T> | undefined

  function forget(): Promise<T> | undefined {
    const last = made
    made = undefined
    return last
  }

  return {
    get() {
      if (made) return made
      const attempt = make()
      made = attempt
      attempt.catch(() => {
        if (made === attempt) made = undefined
      })
      return attempt
    },
    forget,
  }
}
