import type { NewId } from '../../ids.ts'

export type ProcessRole = 'all' | 'api' | 'worker'

/** Live processes of the cluster, this one included. */
export interface Membership {
  /** Id of this process, new at each start. */
  readonly id: string
  /**
   * False for one that ended, or that never was. One that was killed counts as living for some seconds, one whose
   * machine is gone for 20.
   */
  isAlive(id: string): Promise<boolean>
  /**
   * Calls back for each process that has died or left, in exactly one of the living ones; in another one if that dies
   * over it, and again if it throws. One that was only paused lives again afterwards, with the same id: what it had begun
   * before must then be fenced off. On the embedded database it is never called.
   * @returns a function that ends it.
   */
  onDeath(listener: (id: string) => void | Promise<void>): () => void
  /** Number of live processes of each role. */
  count(): Record<ProcessRole, number>
  /** Starts the heartbeat and the watch on others. Resolves once the others can see this process. */
  start(): Promise<void>
  /** Leaves: other processes end what this one still holds. */
  stop(): Promise<void>
}

/**
 * Membership on the embedded database, which one process has to itself: all others are dead, and nobody needs to be
 * told.
 */
export function createLocalMembership(newId: NewId): Membership {
  const id = newId()
  return {
    id,
    isAlive: async (other) => other === id,
    onDeath: () => () => {},
    count: () => ({ all: 1, api: 0, worker: 0 }),
    start: async () => {},
    stop: async () => {},
  }
}
