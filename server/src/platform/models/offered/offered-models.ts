import { setTimeout as sleep } from 'node:timers/promises'
import { DomainError } from '../../errors.ts'
import { createLruCache } from '../../lru-cache.ts'
import type { ModelProvider } from '../model-provider.ts'
import { listOffered, type OfferedModel } from './list-offered.ts'

const KEPT_MS = 60_000
/** Time limit for a provider: a person is waiting for the list, which then shows the provider without its models. */
const PATIENCE_MS = 5_000
/** A run that waits for a window of its model continues without it. */
const PATIENCE_OF_RUNS_MS = 1_000
const MOST_KEPT = 500

export interface Offered {
  models: OfferedModel[]
  /** Sentence why the provider gave no list. */
  problem: string | null
}

const NOTHING_YET: Offered = { models: [], problem: null }

/** Lists of what providers offer, each kept for a minute, and failures as long. */
export function createOfferedModels() {
  const kept = createLruCache<{ at: number; offered: Promise<Offered> }>(MOST_KEPT)
  const last = createLruCache<Offered>(MOST_KEPT)

  function offeredBy(provider: ModelProvider): Promise<Offered> {
    const key = keyOf(provider)
    const known = kept.get(key)
    if (known && performance.now() - known.at < KEPT_MS) return known.offered
    const offered = askOffered(provider).then((answer) => {
      // A provider that is down for a while has not lost its models.
      if (answer.problem === null || !last.get(key)) last.set(key, answer)
      return answer
    })
    kept.set(key, { at: performance.now(), offered })
    return offered
  }

  /** The list as it came last, however old, while a new one is asked for. A first one is waited for a second. */
  async function atOnce(provider: ModelProvider): Promise<Offered> {
    const asked = offeredBy(provider)
    const known = last.get(keyOf(provider))
    if (!known) return Promise.race([asked, sleep(PATIENCE_OF_RUNS_MS, NOTHING_YET, { ref: false })])
    // Reported to the person who lists the models.
    asked.catch(() => {})
    return known
  }

  return Object.assign(offeredBy, {
    atOnce,
    /** The list as it came last, however old; empty before the first one. */
    last: (provider: ModelProvider): Offered => last.get(keyOf(provider)) ?? NOTHING_YET,
  })
}

const keyOf = (provider: ModelProvider): string => provider.version ?? provider.id

/** A model in a list; Ollama takes a name without a tag for the latest. */
export const findOffered = ({ models }: Offered, name: string): OfferedModel | undefined =>
  models.find((model) => model.name === name) ?? models.find((model) => model.name === `${name}:latest`)

/** Asks a provider for its list, now. */
export async function askOffered(provider: ModelProvider): Promise<Offered> {
  const limit = AbortSignal.timeout(PATIENCE_MS)
  try {
    return { models: await listOffered(provider, limit), problem: null }
  } catch (error) {
    if (limit.aborted)
      return { models: [], problem: `${provider.label} did not list its models within ${PATIENCE_MS / 1000} s.` }
    if (error instanceof DomainError) return { models: [], problem: error.message }
    throw error
  }
}
