import { deadline } from '../../concurrency/deadline.ts'
import type { SharedSemaphore } from '../locks/shared-semaphore.ts'
import { type OpenStreams, once, tooManyStreams } from './open-streams.ts'

/** Longest wait of a stream for its permit. */
const PATIENCE_MS = 2_000
const TRIED_AGAIN_AFTER_MS = 1_000

export interface SharedOpenStreamsOptions {
  semaphore: SharedSemaphore
  /** Streams a key. */
  most: number
  /** Called when this process begins to count alone. */
  onAlone(error: unknown): void
}

interface Known {
  open: number
  waiting: { resolve(close: () => void): void; reject(error: Error): void }[]
}

/**
 * Streams of a key in all processes together. What comes and goes in one turn of the event loop, or while the statement
 * before is under way, is written in one statement. While the database takes too long, a process counts its own alone.
 */
export function createSharedOpenStreams({ semaphore, most, onAlone }: SharedOpenStreamsOptions): OpenStreams {
  const keys = new Map<string, Known>()
  let changed = new Set<string>()
  let isTelling = false

  function change(keyId: string): void {
    changed.add(keyId)
    if (isTelling) return
    isTelling = true
    setImmediate(() => {
      tellAll().catch(onAlone)
    })
  }

  async function tellAll(): Promise<void> {
    while (changed.size > 0) {
      const changes = changed
      changed = new Set()
      await tell(changes)
    }
    isTelling = false
  }

  async function tell(changes: Set<string>): Promise<void> {
    const asked = new Map([...changes].map((keyId) => [keyId, countsOf(keyId)]))
    const wanted = new Map([...asked].map(([keyId, { open, waiting }]) => [keyId, open + waiting]))
    try {
      const held = await deadline(semaphore.hold(wanted), PATIENCE_MS)
      for (const [keyId, { waiting }] of asked) settle(keyId, waiting, wanted.get(keyId)! - held.get(keyId)!)
    } catch (error) {
      onAlone(error)
      for (const [keyId, { waiting }] of asked) settle(keyId, waiting, wanted.get(keyId)! - most)
      // The others learn of them once that is possible.
      setTimeout(() => changes.forEach(change), TRIED_AGAIN_AFTER_MS).unref()
    }
  }

  function countsOf(keyId: string): { open: number; waiting: number } {
    const known = keys.get(keyId)
    return { open: known?.open ?? 0, waiting: known?.waiting.length ?? 0 }
  }

  /** Admits the streams that wait, all but those for which no permit is left. */
  function settle(keyId: string, asked: number, tooMany: number): void {
    const known = keys.get(keyId)
    if (!known) return
    const admitted = Math.min(asked, Math.max(0, asked - tooMany))
    for (const { resolve } of known.waiting.splice(0, admitted)) resolve(enter(keyId, known))
    for (const { reject } of known.waiting.splice(0, asked - admitted)) reject(tooManyStreams(most))
    if (known.open === 0 && known.waiting.length === 0) keys.delete(keyId)
  }

  function enter(keyId: string, known: Known): () => void {
    known.open++
    return once(() => {
      known.open--
      change(keyId)
      if (known.open === 0 && known.waiting.length === 0) keys.delete(keyId)
    })
  }

  return {
    open(keyId) {
      const known = keys.get(keyId) ?? { open: 0, waiting: [] }
      keys.set(keyId, known)
      if (known.open >= most) throw tooManyStreams(most)
      return new Promise((resolve, reject) => {
        known.waiting.push({ resolve, reject })
        change(keyId)
      })
    },
  }
}
