import type { Db } from '../db.ts'
import { BlobNotFoundError, type Blobs } from '../platform/blobs/blobs.ts'
import { isoNow } from '../platform/clock.ts'
import { acrossOrganizations } from '../platform/database/across-organizations.ts'
import { createEmbeddings } from '../platform/models/embeddings.ts'
import { examineSpace } from '../platform/search/examine-space.ts'
import { createLanceEngine } from '../platform/search/lance-engine.ts'
import { requestAgain } from '../retrieval/reindex.ts'
import { spaceOf } from '../retrieval/space.ts'
import type { AdminContext } from './context.ts'
import { examineModes } from './open-files.ts'

/** Uploads store their bytes a moment before their row: what is younger than this is nobody's orphan yet. */
const YOUNG_MS = 3_600_000

/**
 * Looks for what belongs to nothing: blobs that no row names, rows whose bytes are gone, passages of files that are
 * gone, files that count as indexed while the index has nothing of them, and files that other users of the machine may
 * use. With `fix`, orphans are removed, such files indexed again or closed; rows without bytes are only reported, because nothing can bring the bytes back.
 */
export async function examine(context: AdminContext, fix: boolean) {
  const blobs = await examineBlobs(context, fix)
  const index = await examineIndex(context, fix)
  const modes = await examineModes(context.config.dataDir, fix)
  const found = Object.values({ ...blobs, ...index, ...modes }).reduce((sum, count) => sum + count, 0)
  return { healthy: found === 0, fixed: fix, ...blobs, ...index, ...modes }
}

async function examineBlobs({ db, blobs }: AdminContext, fix: boolean) {
  const stored = new Set<string>()
  for await (const key of blobs.keys()) stored.add(key)
  const named = await namedBlobs(db)
  const orphans = [...stored].filter((key) => !named.has(key) && Date.now() - madeAt(key) > YOUNG_MS)
  if (fix) for (const key of orphans) await blobs.remove(key)
  const missing: string[] = []
  for (const key of named) if (!stored.has(key) && !(await isStored(blobs, key))) missing.push(key)
  // A server that goes on meanwhile brings files and removes some: what counts is what is missing now, too.
  const namedNow = missing.length > 0 ? await namedBlobs(db) : named
  return { orphan_blobs: orphans.length, rows_without_blob: missing.filter((key) => namedNow.has(key)).length }
}

/** Keys that rows refer to. */
async function namedBlobs(db: Db): Promise<Set<string>> {
  const named = new Set<string>()
  const all = acrossOrganizations(db)
  for (const { blob_key } of await all.selectFrom('upload').select('blob_key').execute()) named.add(blob_key)
  for (const { blob_key } of await all.selectFrom('message_output').select('blob_key').execute()) named.add(blob_key)
  for (const { blob_key } of await all.selectFrom('message_file').select('blob_key').execute()) named.add(blob_key)
  for (const row of await all.selectFrom('data_source').select(['blob_key', 'parsed_blob_key']).execute()) {
    named.add(row.blob_key)
    if (row.parsed_blob_key) named.add(row.parsed_blob_key)
  }
  return named
}

async function isStored(blobs: Blobs, key: string): Promise<boolean> {
  try {
    const content = await blobs.open(key)
    content.destroy()
    return true
  } catch (error) {
    if (error instanceof BlobNotFoundError) return false
    throw error
  }
}

/** A key is an id, which begins with its second. */
const madeAt = (key: string): number => Number.parseInt(key.slice(0, 8), 16) * 1000

async function examineIndex({ db, writes, config, clock, queue, storage }: AdminContext, fix: boolean) {
  const engine = createLanceEngine({
    ...storage.search,
    shared: true,
    compacts: false,
    onBackgroundError: () => {},
  })
  const embedding = createEmbeddings(config.models)
  let damagedIndexes = 0
  let orphanDocuments = 0
  let filesNotInIndex = 0
  try {
    for (const { id: organizationId } of await db.selectFrom('organization').select('id').execute()) {
      const space = spaceOf(organizationId, embedding)
      if ((await examineSpace(storage.search, space)).state === 'damaged') {
        damagedIndexes++
        // Left to the server as tasks: it alone writes to the index.
        if (fix) await writes.commit((tx) => queue.enqueue(tx, organizationId, 'retrieval.mend', {}))
        continue
      }
      const held = new Set(await engine.documentIds(space))
      const files = await db
        .selectFrom('data_source')
        .select(['id', 'status', 'chunk_count', 'index_generation'])
        .where('organization_id', '=', organizationId)
        .execute()
      const known = new Set(files.map(({ id }) => id))
      const orphans = [...held].filter((id) => !known.has(id))
      const unheld = files.filter(
        ({ id, status, chunk_count }) => status === 'successful' && chunk_count > 0 && !held.has(id),
      )
      // Some may have been indexed since the index was gone through.
      const heldNow = new Set(unheld.length > 0 ? await engine.documentIds(space) : [])
      const lost = unheld.filter(({ id }) => !heldNow.has(id))
      orphanDocuments += orphans.length
      filesNotInIndex += lost.length
      if (!fix) continue
      await writes.commit(async (tx) => {
        if (orphans.length > 0) await queue.enqueue(tx, organizationId, 'retrieval.remove', { dataSourceIds: orphans })
        await requestAgain(tx, queue, organizationId, lost, isoNow(clock))
      })
    }
  } finally {
    await engine.close()
  }
  return { damaged_indexes: damagedIndexes, orphan_documents: orphanDocuments, files_not_in_index: filesNotInIndex }
}
