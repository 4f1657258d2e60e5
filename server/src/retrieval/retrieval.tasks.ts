import type { Writes } from '../db.ts'
import { findLiveDataSource, recordIndexedFolder } from '../drive/drive.ts'
import type { KernelParts } from '../kernel-parts.ts'
import { type Clock, isoNow } from '../platform/clock.ts'
import { type GivenUpHandlers, staysAmongTheDead } from '../queue/troubles/given-up.ts'
import type { TaskHandlers } from '../queue/worker.ts'
import type { SearchEngine } from '../search/engine.ts'
import type { IndexBuild } from './indexes/build-index.ts'
import type { SearchIndexes } from './indexes/search-indexes.ts'
import { type FailureTold, failFile } from './indexing/fail-file.ts'
import type { FileIndexer } from './indexing/index-file.ts'
import type { IndexRepair } from './indexing/index-repair.ts'
import { deleteEditsOf } from './passages/passage-edits.store.ts'
import { deleteTranscriptsOf } from './transcripts/transcripts.store.ts'

export interface RetrievalTasksOptions extends Pick<KernelParts, 'db' | 'writes'> {
  engine: SearchEngine
  indexes: SearchIndexes
  indexBuild: IndexBuild
  indexer: FileIndexer
  indexRepair: IndexRepair
}

type RetrievalTaskKind =
  | 'retrieval.index'
  | 'retrieval.remove'
  | 'retrieval.move'
  | 'retrieval.mend'
  | 'retrieval.build-index'
  | 'retrieval.catch-up'
  | 'retrieval.drop-index'

type RetrievalTasks = Pick<TaskHandlers, RetrievalTaskKind>

/** Keeps the search engine in sync with the drive. */
export const retrievalTasks = ({
  db,
  writes,
  engine,
  indexes,
  indexBuild,
  indexer,
  indexRepair,
}: RetrievalTasksOptions): RetrievalTasks => ({
  'retrieval.index': (payload, context) => indexer.run(payload, context),
  'retrieval.mend': (_, { organizationId }) => indexRepair.run(organizationId),

  'retrieval.build-index': (step, context) => indexBuild.run(step, context),
  'retrieval.catch-up': (_, context) => indexBuild.catchUp(context),
  'retrieval.drop-index': ({ space }, { organizationId }) => indexBuild.drop(organizationId, space),

  async 'retrieval.remove'({ dataSourceIds }, { organizationId }) {
    const { space } = await indexes.servingOf(organizationId)
    await engine.remove(space, dataSourceIds)
    await writes.commit(async (tx) => {
      await deleteEditsOf(tx, organizationId, dataSourceIds)
      await deleteTranscriptsOf(tx, organizationId, dataSourceIds)
      await indexes.noteChanged(tx, organizationId, dataSourceIds, space)
    })
  },

  async 'retrieval.move'({ dataSourceId }, { organizationId }) {
    const file = await findLiveDataSource(db, organizationId, dataSourceId)
    if (!file || file.indexedFolderId === file.folderId) return
    const { space } = await indexes.servingOf(organizationId)
    await engine.move(space, file.id, file.folderId)
    await writes.commit(async (tx) => {
      await indexes.noteChanged(tx, organizationId, [file.id], space)
      await recordIndexedFolder(tx, organizationId, file.id, file.folderId)
    })
  },
})

/** Ends the indexing of a file that took the server down again and again: the file shows it. */
export const retrievalGivenUp = ({
  writes,
  clock,
  indexBuild,
  ...told
}: {
  writes: Writes
  clock: Clock
  indexBuild: IndexBuild
} & FailureTold): Pick<GivenUpHandlers, RetrievalTaskKind> => ({
  async 'retrieval.index'(request, { organizationId }, cause) {
    // The last failed attempt reported it.
    if (request.onlyTitle || cause === 'failed') return
    const reason = 'The server ended every time it read this file; save it in another format and upload it again'
    await writes.commit((tx) =>
      failFile(tx, organizationId, request, { reason, code: 'PROCESS_ENDED', at: isoNow(clock), ...told }),
    )
  },

  'retrieval.build-index': (step, context, cause) => indexBuild.giveUp(step, context, cause),

  'retrieval.catch-up': staysAmongTheDead('the doctor finds files that the index lacks'),

  'retrieval.drop-index': staysAmongTheDead('an index that serves no more takes room and nothing else'),

  'retrieval.mend': staysAmongTheDead('a search that meets the damage again asks for it again, and so does the doctor'),

  'retrieval.remove': staysAmongTheDead('searches show no file that is gone, and the doctor finds what is left of it'),

  'retrieval.move': staysAmongTheDead(
    'searches of the old folder show it no more, and indexing it again mends the new',
  ),
})
