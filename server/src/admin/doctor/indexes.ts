import { requestAgain } from '../../drive/drive.ts'
import { isoNow } from '../../platform/clock.ts'
import { createEmbeddings } from '../../platform/models/embeddings/embeddings.ts'
import { findServingSpace } from '../../retrieval/retrieval.ts'
import { examineSpace } from '../../search/lance/checksums/examine-space.ts'
import { LanceEngine } from '../../search/lance/lance-engine.ts'
import type { AdminContext } from '../context.ts'
import type { ExamineOptions } from './doctor.ts'

/** Reads the search index of every organization, and compares it with the files. */
export async function examineIndexes(
  { db, writes, config, clock, queue, storage }: AdminContext,
  { fix, organizationId: only, problems }: ExamineOptions & { problems: string[] },
) {
  const engine = new LanceEngine({ ...storage.search, shared: true, compacts: false, onBackgroundError: () => {} })
  const embedding = createEmbeddings(config.models)
  const counts = { damaged_indexes: 0, orphan_documents: 0, files_not_in_index: 0 }
  try {
    for (const { id: organizationId } of await db.selectFrom('organization').select('id').execute()) {
      if (only && only !== organizationId) continue
      const space = await findServingSpace(db, organizationId, embedding)
      const found = await examineSpace(storage.search, space)
      if (found.state === 'damaged') {
        counts.damaged_indexes++
        problems.push(`The search index of organization ${organizationId}: ${found.reason}`)
        // Left to the server as a task: it alone writes to the index.
        if (fix) await writes.commit((tx) => queue.enqueue(tx, organizationId, 'retrieval.mend', {}))
        continue
      }
      const held = new Set(await engine.documentIds(space))
      const files = await db
        .selectFrom('data_source')
        .select(['id', 'status', 'chunk_count as chunkCount', 'index_generation as indexGeneration'])
        .where('organization_id', '=', organizationId)
        .execute()
      const known = new Set(files.map(({ id }) => id))
      const orphans = [...held].filter((id) => !known.has(id))
      const unheld = files.filter(
        ({ id, status, chunkCount }) => status === 'successful' && chunkCount > 0 && !held.has(id),
      )
      // Some may have been indexed since the index was gone through.
      const heldNow = new Set(unheld.length > 0 ? await engine.documentIds(space) : [])
      const lost = unheld.filter(({ id }) => !heldNow.has(id))
      counts.orphan_documents += orphans.length
      counts.files_not_in_index += lost.length
      if (!fix) continue
      await writes.commit(async (tx) => {
        if (orphans.length > 0) await queue.enqueue(tx, organizationId, 'retrieval.remove', { dataSourceIds: orphans })
        await requestAgain(tx, queue, organizationId, lost, isoNow(clock))
      })
    }
  } finally {
    await engine.close()
  }
  return counts
}
