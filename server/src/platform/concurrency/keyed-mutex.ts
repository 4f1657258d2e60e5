/** Mutex for each key: tasks with equal keys run one after the other, in the order of their calls; others side by side. */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<unknown>>()

  /** Runs the task once those before it with this key have settled. @throws what the task throws */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    while (this.#last.has(key)) await this.#last.get(key)
    const running = task()
    const settled = running.catch(() => {}).finally(() => this.#last.delete(key))
    this.#last.set(key, settled)
    return running
  }
}
