import { createHash } from 'node:crypto'
import { readChunks, StoredParseError } from '../../content/read/stored-parse.ts'
import type { Db } from '../../db.ts'
import { requestAgain } from '../../drive/drive.ts'
import { BlobNotFoundError, type Blobs } from '../../platform/blobs/blobs.ts'
import { isoNow } from '../../platform/clock.ts'
import { acrossOrganizations } from '../../platform/database/statements/across-organizations.ts'
import type { AdminContext } from '../context.ts'
import type { ExamineOptions } from './doctor.ts'

/** Uploads store their bytes a moment before their row: what is younger than this is nobody's orphan yet. */
const YOUNG_MS = 3_600_000

interface Named {
  organizationId: string
  /** Hex; unknown for what agents made and what was sent with questions. */
  sha256?: string
  /** Set for what was read of a file. */
  parseOf?: { id: string; status: string; indexGeneration: number; chunkCount: number }
}

type State = 'whole' | 'lost' | 'damaged'

/** Reads the bytes of every file, and of what was read of it. */
export async function examineBlobs({ db, writes, queue, clock, blobs }: AdminContext, options: ExamineOptions) {
  const { fix, organizationId } = options
  const stored: string[] = []
  for await (const key of blobs.keys()) stored.push(key)
  const named = await namedBlobs(db)
  const orphans = stored.filter((key) => !named.has(key) && Date.now() - madeAt(key) > YOUNG_MS)
  if (fix) for (const key of orphans) await blobs.remove(key)

  const bad = new Map<string, State>()
  for (const [key, one] of named) {
    if (organizationId && one.organizationId !== organizationId) continue
    const state = await checkBlob(blobs, key, one)
    if (state !== 'whole') bad.set(key, state)
  }
  // A running server adds files and removes some meanwhile: what counts is what is bad and named now, too.
  const now = bad.size > 0 ? await namedBlobs(db) : named
  const counts = { orphan_blobs: orphans.length, rows_without_blob: 0, damaged_blobs: 0, lost_parses: 0 }
  for (const [key, state] of bad) {
    const one = now.get(key)
    if (!one) continue
    if (one.parseOf) {
      counts.lost_parses++
      if (fix) {
        const { parseOf, organizationId: owner } = one
        await writes.commit((tx) => requestAgain(tx, queue, owner, [parseOf], isoNow(clock)))
      }
    } else if (state === 'lost') counts.rows_without_blob++
    else counts.damaged_blobs++
  }
  return counts
}

const KEYS = ['organization_id as organizationId', 'blob_key as blobKey'] as const

/** Keys that rows refer to. */
async function namedBlobs(db: Db): Promise<Map<string, Named>> {
  const named = new Map<string, Named>()
  const all = acrossOrganizations(db)
  const files = await all
    .selectFrom('data_source')
    .select([
      'id',
      'organization_id as organizationId',
      'blob_key as blobKey',
      'sha256',
      'parsed_blob_key as parsedBlobKey',
      'read_parse_blob_key as readBlobKey',
      'status',
      'chunk_count as chunkCount',
      'index_generation as indexGeneration',
    ])
    .execute()
  for (const { organizationId, blobKey, parsedBlobKey, readBlobKey, sha256, ...parseOf } of files) {
    named.set(blobKey, { organizationId, sha256 })
    if (readBlobKey) named.set(readBlobKey, { organizationId, sha256: undefined })
    // A file that is being read again is replaced anyway.
    if (parsedBlobKey && parseOf.status === 'successful') named.set(parsedBlobKey, { organizationId, parseOf })
    else if (parsedBlobKey) named.set(parsedBlobKey, { organizationId, sha256: undefined })
  }
  const others: { organizationId: string; blobKey: string; sha256?: string }[] = [
    ...(await all.selectFrom('upload').select(KEYS).select('sha256').execute()),
    ...(await all.selectFrom('data_source_version').select(KEYS).select('sha256').execute()),
    ...(await all.selectFrom('message_output').select(KEYS).execute()),
    ...(await all.selectFrom('message_file').select(KEYS).execute()),
  ]
  for (const { blobKey, organizationId, sha256 } of others)
    if (!named.has(blobKey)) named.set(blobKey, { organizationId, sha256 })
  return named
}

async function checkBlob(blobs: Blobs, key: string, { sha256, parseOf }: Named): Promise<State> {
  try {
    const content = await blobs.open(key)
    if (parseOf) {
      let count = 0
      for await (const chunks of readChunks(content)) count += chunks.length
      return count === parseOf.chunkCount ? 'whole' : 'damaged'
    }
    const hash = createHash('sha256')
    for await (const piece of content) hash.update(piece)
    return sha256 === undefined || hash.digest('hex') === sha256 ? 'whole' : 'damaged'
  } catch (error) {
    if (error instanceof BlobNotFoundError) return 'lost'
    if (error instanceof StoredParseError) return 'damaged'
    // The disk itself cannot read it.
    if ((error as NodeJS.ErrnoException).code === 'EIO') return 'damaged'
    throw error
  }
}

/** A key is an id, which begins with its second. */
const madeAt = (key: string): number => Number.parseInt(key.slice(0, 8), 16) * 1000
