import type { Db, Tx } from '../../db.ts'
import { takeAdvisoryLock } from '../../platform/database/statements/advisory-locks.ts'

/** Recording of a file, by the file and its bytes. */
export interface RecordingKey {
  dataSourceId: string
  sha256: string
}

interface Claim extends RecordingKey {
  claim: string
  now: string
  until: string
}

/** Text of a recording with these bytes, of whichever file; JSON. */
async function findText(db: Db, organizationId: string, sha256: string) {
  return db
    .selectFrom('transcript')
    .select(['data_source_id as dataSourceId', 'transcript', 'model', 'seconds'])
    .where('organization_id', '=', organizationId)
    .where('sha256', '=', sha256)
    .where('transcript', 'is not', null)
    .orderBy('data_source_id')
    .executeTakeFirst()
}

/**
 * Text of a recording, if its bytes were transcribed before: for this file, too, then. Else claims them.
 * @returns `mine` once they are claimed, `wait` while another attempt writes the same bytes down
 */
export async function findOrClaim(
  tx: Tx,
  organizationId: string,
  { dataSourceId, sha256, claim, now, until }: Claim,
): Promise<{ transcript: string } | 'mine' | 'wait'> {
  await takeAdvisoryLock(tx, 'transcripts', `${organizationId} ${sha256}`)
  const found = await findText(tx, organizationId, sha256)
  const key = { organization_id: organizationId, sha256, data_source_id: dataSourceId, created_at: now }
  if (found) {
    const { dataSourceId: of, transcript, ...facts } = found
    const text = { transcript: transcript as string, claim: null, claimed_until: null, ...facts }
    if (of !== dataSourceId)
      await tx
        .insertInto('transcript')
        .values({ ...key, ...text })
        .onConflict((conflict) => conflict.columns(KEY).doUpdateSet(text))
        .execute()
    return { transcript: text.transcript }
  }
  const held = await tx
    .selectFrom('transcript')
    .select('claim')
    .where('organization_id', '=', organizationId)
    .where('sha256', '=', sha256)
    .where('claimed_until', '>', now)
    .executeTakeFirst()
  if (held) return 'wait'
  const claimed = { claim, claimed_until: until }
  await tx
    .insertInto('transcript')
    .values({ ...key, ...claimed, transcript: null, model: null, seconds: null })
    .onConflict((conflict) => conflict.columns(KEY).doUpdateSet(claimed))
    .execute()
  return 'mine'
}

const KEY = ['organization_id', 'sha256', 'data_source_id'] as const

/** Holds a claim for longer. */
export async function renewClaim(tx: Tx, organizationId: string, { claim, until, ...key }: Omit<Claim, 'now'>) {
  await tx
    .updateTable('transcript')
    .set({ claimed_until: until })
    .where('organization_id', '=', organizationId)
    .where('sha256', '=', key.sha256)
    .where('data_source_id', '=', key.dataSourceId)
    .where('claim', '=', claim)
    .execute()
}

/** Lets others write the recording down: this attempt could not. */
export async function releaseClaim(
  tx: Tx,
  organizationId: string,
  { dataSourceId, sha256, claim }: RecordingKey & { claim: string },
) {
  await tx
    .deleteFrom('transcript')
    .where('organization_id', '=', organizationId)
    .where('sha256', '=', sha256)
    .where('data_source_id', '=', dataSourceId)
    .where('claim', '=', claim)
    .execute()
}

/** Keeps what was transcribed; the process that claimed the recording meanwhile finds it. */
export async function keepTranscript(
  tx: Tx,
  organizationId: string,
  { dataSourceId, sha256 }: RecordingKey,
  kept: { transcript: string; model: string; seconds: number; at: string },
): Promise<void> {
  const { at, ...text } = kept
  const row = { ...text, claim: null, claimed_until: null }
  await tx
    .insertInto('transcript')
    .values({ organization_id: organizationId, sha256, data_source_id: dataSourceId, created_at: at, ...row })
    .onConflict((conflict) => conflict.columns(KEY).doUpdateSet(row))
    .execute()
}

/** Forgets what was transcribed of files that are gone. */
export async function deleteTranscriptsOf(tx: Tx, organizationId: string, dataSourceIds: string[]): Promise<void> {
  if (dataSourceIds.length === 0) return
  await tx
    .deleteFrom('transcript')
    .where('organization_id', '=', organizationId)
    .where('data_source_id', 'in', dataSourceIds)
    .execute()
}
