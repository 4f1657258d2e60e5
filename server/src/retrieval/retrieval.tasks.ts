import type { Db, Writes } from '../db.ts'
import { findLiveDataSource, recordIndexedFolder } from '../drive/drive.ts'
import { type Clock, isoNow } from '../platform/clock.ts'
import type { EmbeddingModel } from '../platform/models/model.ts'
import { type GivenUpHandlers, staysAmongTheDead } from '../queue/troubles/given-up.ts'
import type { TaskHandlers } from '../queue/worker.ts'
import type { SearchEngine } from '../search/engine.ts'
import type { EmitEvent } from '../webhooks/webhooks.ts'
import { failFile } from './indexing/fail-file.ts'
import type { FileIndexer } from './indexing/index-file.ts'
import type { IndexRepair } from './indexing/index-repair.ts'
import { spaceOf } from './space.ts'

export interface RetrievalTasksOptions {
  db: Db
  engine: SearchEngine
  embedding: EmbeddingModel | undefined
  indexer: FileIndexer
  indexRepair: IndexRepair
}

type RetrievalTasks = Pick<TaskHandlers, 'retrieval.index' | 'retrieval.remove' | 'retrieval.move' | 'retrieval.mend'>

/** Keeps the search engine in step with the drive. */
export const retrievalTasks = ({
  db,
  engine,
  embedding,
  indexer,
  indexRepair,
}: RetrievalTasksOptions): RetrievalTasks => ({
  'retrieval.index': (payload, context) => indexer.run(payload, context),
  'retrieval.mend': (_, { organizationId }) => indexRepair.run(organizationId),

  async 'retrieval.remove'({ dataSourceIds }, { organizationId }) {
    await engine.remove(spaceOf(organizationId, embedding), dataSourceIds)
  },

  async 'retrieval.move'({ dataSourceId }, { organizationId }) {
    const file = await findLiveDataSource(db, organizationId, dataSourceId)
    if (!file || file.indexedFolderId === file.folderId) return
    await engine.move(spaceOf(organizationId, embedding), file.id, file.folderId)
    await recordIndexedFolder(db, organizationId, file.id, file.folderId)
  },
})

/** Ends the indexing of a file that took the server down again and again: the file shows it. */
export const retrievalGivenUp = ({
  writes,
  emitEvent,
  clock,
}: {
  writes: Writes
  emitEvent: EmitEvent
  clock: Clock
}): Pick<GivenUpHandlers, 'retrieval.index' | 'retrieval.remove' | 'retrieval.move' | 'retrieval.mend'> => ({
  async 'retrieval.index'(request, { organizationId }, cause) {
    // The last failed attempt reported it.
    if (request.onlyTitle || cause === 'failed') return
    const reason = 'The server ended every time it read this file; save it in another format and upload it again'
    await writes.commit((tx) => failFile(tx, organizationId, request, { reason, at: isoNow(clock), emitEvent }))
  },

  'retrieval.mend': staysAmongTheDead('a search that meets the damage again asks for it again, and so does the doctor'),

  'retrieval.remove': staysAmongTheDead('searches show no file that is gone, and the doctor finds what is left of it'),

  'retrieval.move': staysAmongTheDead(
    'searches of the old folder show it no more, and indexing it again mends the new',
  ),
})
