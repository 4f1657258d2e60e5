import type { Run } from './run.ts'

const keyOf = (organizationId: string, messageId: string) => `${organizationId}:${messageId}`

/** Messages that this process runs, and those that it is about to run: no other part of it takes them for lost. */
export class RunRegistry {
  readonly #runs = new Map<string, Run>()
  readonly #coming = new Set<string>()

  /** Runs that are at work or in line. */
  get size(): number {
    return this.#runs.size
  }

  all(): Iterable<Run> {
    return this.#runs.values()
  }

  find(organizationId: string, messageId: string): Run | undefined {
    return this.#runs.get(keyOf(organizationId, messageId))
  }

  /** Whether it is announced and has no run yet. */
  isComing(organizationId: string, messageId: string): boolean {
    return this.#coming.has(keyOf(organizationId, messageId))
  }

  /**
   * To be called before this process accepts or claims a message: from then until its run is added, or is given up,
   * what is behind it in its chat waits.
   * @returns gives it up; undefined for a message that is coming already
   */
  announce(organizationId: string, messageId: string): (() => void) | undefined {
    const key = keyOf(organizationId, messageId)
    if (this.#coming.has(key)) return undefined
    this.#coming.add(key)
    return () => this.#coming.delete(key)
  }

  add(run: Run): void {
    const key = keyOf(run.id.organizationId, run.id.messageId)
    this.#runs.set(key, run)
    this.#coming.delete(key)
  }

  remove(run: Run): void {
    this.#runs.delete(keyOf(run.id.organizationId, run.id.messageId))
  }
}
