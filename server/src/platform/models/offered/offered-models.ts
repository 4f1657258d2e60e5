import { DomainError } from '../../errors.ts'
import { createLruCache } from '../../lru-cache.ts'
import type { ModelProvider } from '../model-provider.ts'
import { listOffered, type OfferedModel } from './list-offered.ts'

const KEPT_MS = 60_000
/** Somebody waits for the list: a provider that takes longer is shown without it. */
const PATIENCE_MS = 5_000
const MOST_KEPT = 500

export interface Offered {
  models: OfferedModel[]
  /** Sentence why the provider gave no list. */
  problem: string | null
}

/** Lists of what providers offer, each kept for a minute, and failures as long. */
export function createOfferedModels() {
  const kept = createLruCache<{ at: number; offered: Promise<Offered> }>(MOST_KEPT)

  return (provider: ModelProvider): Promise<Offered> => {
    const key = provider.version ?? provider.id
    const known = kept.get(key)
    if (known && performance.now() - known.at < KEPT_MS) return known.offered
    const offered = askOffered(provider)
    kept.set(key, { at: performance.now(), offered })
    return offered
  }
}

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
