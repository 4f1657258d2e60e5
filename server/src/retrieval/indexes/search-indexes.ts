import type { Tx } from '../../db.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { createNotifiedCache } from '../../platform/cluster/pubsub/notified-cache.ts'
import type { EmbeddingModel } from '../../platform/models/model.ts'
import { spaceOf } from '../space.ts'
import { addChanges } from './index-changes.store.ts'
import type { IndexEmbeddings } from './index-embeddings.ts'
import { findSearchIndex, type SearchIndexRecord } from './search-indexes.store.ts'
import type { IndexSource } from './search-indexes.tables.ts'

/** The index that searches of an organization go to, and that its files are written to. */
export interface ServingIndex {
  /** The engine's space. */
  space: string
  /** Made the vectors of the space; undefined for one that has none. */
  embedding: EmbeddingModel | undefined
  source: IndexSource
}

export interface SearchIndexesOptions extends Pick<KernelParts, 'db' | 'pubsub' | 'queue'> {
  /** The environment's. */
  embedding: EmbeddingModel | undefined
  embeddings: Pick<IndexEmbeddings, 'of'>
}

const MOST_CACHED = 1000

export type SearchIndexes = ReturnType<typeof createSearchIndexes>

/** Finds the index that serves an organization, and notes changes for the one that is being built. */
export function createSearchIndexes({ db, queue, pubsub, embedding, embeddings }: SearchIndexesOptions) {
  const cache = createNotifiedCache<ServingIndex>({ pubsub, channel: 'search-index.changed', most: MOST_CACHED })

  function toServing(organizationId: string, record: SearchIndexRecord | undefined): ServingIndex {
    if (record?.space == null) return { space: spaceOf(organizationId, embedding), embedding, source: 'environment' }
    const { space, model, workspaceId } = record
    if (model === null || workspaceId === null) return { space, embedding: undefined, source: 'none' }
    return { space, embedding: embeddings.of({ organizationId, workspaceId, model }), source: 'workspace' }
  }

  const read = async (organizationId: string) => toServing(organizationId, await findSearchIndex(db, organizationId))

  return {
    toServing,

    /** Finds the index that serves, as it was known within the last seconds. */
    servingOf: (organizationId: string): Promise<ServingIndex> => cache.get(organizationId, () => read(organizationId)),

    /** Finds the index that serves now. */
    servingNow(organizationId: string): Promise<ServingIndex> {
      cache.forget(organizationId)
      return cache.get(organizationId, () => read(organizationId))
    },

    announceChange: (organizationId: string): Promise<void> => cache.announceChange(organizationId),

    /**
     * Notes files that were changed in a space, in the transaction that records the change: the index that is being built
     * takes them over again, and so does the one that serves, if it took the place of the space meanwhile.
     */
    async noteChanged(tx: Tx, organizationId: string, dataSourceIds: string[], space: string): Promise<void> {
      const record = await findSearchIndex(tx, organizationId)
      const isReplaced = toServing(organizationId, record).space !== space
      if (!record?.buildId && !isReplaced) return
      await addChanges(tx, organizationId, dataSourceIds)
      if (isReplaced) await queue.enqueue(tx, organizationId, 'retrieval.catch-up', {})
    },
  }
}
