import type { Tx } from '../../db.ts'
import type { PubSub } from '../../platform/cluster/pubsub/pubsub.ts'
import type { NewId } from '../../platform/ids.ts'
import type { StoredEventType } from '../drive.tables.ts'

const CHANNEL = 'drive.file-events'

/** Something that happened to a file. */
export interface FileEvent {
  type: StoredEventType
  folderId: string
  dataSourceId: string
  /** Folder at the other end of a move. */
  otherFolderId?: string
}

/** A hint to those who follow a folder: events are stored, or (with a file) it has come further. */
export interface FileHint {
  organizationId: string
  folderId?: string
  dataSourceId?: string
}

/** Stores events with what happened, and tells every process once the transaction is committed. */
export async function noteEvents(
  tx: Tx,
  { pubsub, newId }: { pubsub: PubSub; newId: NewId },
  organizationId: string,
  { at, events }: { at: string; events: FileEvent[] },
): Promise<void> {
  if (events.length === 0) return
  await tx
    .insertInto('file_event')
    .values(
      events.map(({ type, folderId, dataSourceId, otherFolderId = null }) => ({
        id: newId(),
        organization_id: organizationId,
        folder_id: folderId,
        data_source_id: dataSourceId,
        type,
        other_folder_id: otherFolderId,
        number: null,
        created_at: at,
      })),
    )
    .execute()
  await pubsub.publishIn(tx, CHANNEL, JSON.stringify({ organizationId } satisfies FileHint))
}

/** Place of a file, as events and hints name it. */
export const placeOf = (file: { id: string; folderId: string }) => ({ folderId: file.folderId, dataSourceId: file.id })

/** Stores that a file moved, for the folders at both ends. */
export const noteMoved = (
  tx: Tx,
  services: { pubsub: PubSub; newId: NewId },
  organizationId: string,
  { file, to, at }: { file: { id: string; folderId: string }; to: string; at: string },
): Promise<void> =>
  noteEvents(tx, services, organizationId, {
    at,
    events: [
      { type: 'moved', ...placeOf(file), otherFolderId: to },
      { type: 'moved', folderId: to, dataSourceId: file.id, otherFolderId: file.folderId },
    ],
  })

/** Tells every process that a file has come further. Nothing is stored: the file itself says how far it is. */
export const noteStage = (pubsub: PubSub, tx: Tx, hint: Required<FileHint>): Promise<void> =>
  pubsub.publishIn(tx, CHANNEL, JSON.stringify(hint))

/** @returns a function that ends it */
export const onHint = (pubsub: PubSub, listener: (hint: FileHint) => void): (() => void) =>
  pubsub.subscribe(CHANNEL, (payload) => listener(JSON.parse(payload) as FileHint))
