import type { FolderReader } from '../../../access/access.ts'
import type { Db } from '../../../db.ts'
import { findRestriction } from '../../../drive/drive.ts'
import { EventBatch, type Readable } from '../../events/event-batch.ts'
import type { StreamEvent } from '../../events/events.schemas.ts'
import { storedEvents } from '../../runs/stored/stored-events.ts'
import type { MessageRecord } from '../messages.store.ts'
import { findReadableLog, showsDocuments } from './readable-log.ts'

/**
 * Events of a message as a reader may see them now. Of an answer that is still made, with the rights of somebody else, a
 * reader who may not read all files sees no documents: which they may see is known when it has ended.
 *
 * @param live events of one that is still made
 */
export async function readableEvents(
  db: Db,
  reader: FolderReader,
  message: MessageRecord,
  live: () => Readable,
): Promise<Readable> {
  if (message.status === 'completed') return storedEvents(message, await findReadableLog(db, reader, message))
  const isOwn = message.rightsHolderId === reader.rightsHolderId
  return isOwn || !(await findRestriction(db, reader)) ? live() : withoutDocuments(live())
}

const withoutDocuments = (events: Readable): Readable => ({
  read: (reader, after) =>
    events.read(
      {
        write: (batch) => reader.write(new EventBatch(batch.events.map(withoutDocumentsOf))),
        end: () => reader.end(),
        ...(reader.pause && { pause: () => reader.pause?.() }),
      },
      after,
    ),
})

function withoutDocumentsOf(event: StreamEvent): StreamEvent {
  if (event.type === 'end_response') return { ...event, data: { ...event.data, citations: [] } }
  if (event.type !== 'live_update' || !showsDocuments(event.data.tool_name)) return event
  return { ...event, data: { ...event.data, preview: null } }
}
