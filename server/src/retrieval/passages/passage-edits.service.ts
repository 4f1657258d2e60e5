import { type FolderReader, findKeyNames, type KeyName } from '../../access/access.ts'
import { type Actor, recordAudit } from '../../audit/record-audit.ts'
import type { Tx } from '../../db.ts'
import {
  changeFile,
  type DataSource,
  DataSourceNotIndexedError,
  type DataSourceService,
  getFolder,
  noteEdited,
} from '../../drive/drive.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { BEGINNING } from './compose-passages.ts'
import { PassageChangedError, PassageEditNotFoundError, PassageNotFoundError } from './passage-edits.errors.ts'
import { deleteEdit, findEdit, listEdits, type PassageEdit } from './passage-edits.store.ts'
import { type Anchor, anchorOf, findSpot, findWaiting, type Spot } from './passage-places.ts'
import { type WantedEdit, writeChange } from './write-change.ts'

export interface PassageEditOptions extends Pick<KernelParts, 'blobs' | 'clock' | 'db' | 'newId' | 'queue' | 'writes'> {
  dataSources: Pick<DataSourceService, 'get'>
}

export interface FileAt {
  folderId: string
  dataSourceId: string
}

type Editor = FolderReader & Actor

/** A change as a reader sees it. */
export type ShownEdit = PassageEdit & { key: KeyName | undefined }

const AT_BEGINNING: Anchor = { anchorHash: '', anchorOrdinal: BEGINNING, anchorText: '' }

/** Change that a passage has or is about to have, and where changes of it belong. @throws PassageChangedError */
function changeAt(spot: Spot, edits: readonly PassageEdit[]): { known: PassageEdit | undefined; anchor: Anchor } {
  const { edit_id: editId } = spot.chunk.location
  if (editId) {
    const known = edits.find(({ id }) => id === editId)
    if (!known) throw new PassageChangedError()
    return { known, anchor: known }
  }
  const anchor = anchorOf(spot, edits)
  return { known: findWaiting(spot, anchor, edits), anchor }
}

/** Changes of passages by hand, which stay when a file is indexed again. */
export function createPassageEdits(options: PassageEditOptions) {
  const { db, writes, queue, blobs, newId, clock, dataSources } = options

  async function getIndexed(editor: Editor, { folderId, dataSourceId }: FileAt) {
    await getFolder(db, editor, folderId)
    const file = await dataSources.get(editor, folderId, dataSourceId)
    const isFound = file.status === 'successful' || file.servedVersion !== null
    if (!isFound || !file.parsedBlobKey) throw new DataSourceNotIndexedError(file.statusReason)
    return { ...file, parsedBlobKey: file.parsedBlobKey }
  }

  /** Writes a change and has the passages written again, in one transaction. */
  const commit = <R>(
    editor: Editor,
    { folderId, dataSourceId }: FileAt,
    write: (tx: Tx, file: DataSource, at: string) => Promise<R>,
  ): Promise<R> =>
    changeFile(writes, editor, { folderId, id: dataSourceId }, async (tx, file) => {
      const at = isoNow(clock)
      const written = await write(tx, file, at)
      await noteEdited(tx, queue, file)
      await recordAudit(tx, editor, {
        action: 'data_source.passages_changed',
        at,
        target: { type: 'data_source', id: file.id, name: file.title },
        details: { knowledge_base_id: file.folderId },
        workspaceId: null,
      })
      return written
    })

  return {
    /** @throws FolderNotFoundError, DataSourceNotFoundError */
    async list(reader: FolderReader, { folderId, dataSourceId }: FileAt): Promise<ShownEdit[]> {
      const file = await dataSources.get(reader, folderId, dataSourceId)
      const edits = await listEdits(db, file.organizationId, file.id)
      const isOwn = file.organizationId === reader.organizationId
      const keyIds = isOwn ? edits.flatMap(({ keyId }) => keyId ?? []) : []
      const keys = await findKeyNames(db, file.organizationId, keyIds)
      return edits.map((edit) => ({ ...edit, key: edit.keyId === null ? undefined : keys.get(edit.keyId) }))
    },

    /**
     * Changes the passage at a place, or adds one after it (at -1: at the beginning).
     * @returns the change; undefined when it took an added passage away
     * @throws DataSourceNotIndexedError, PassageNotFoundError, PassageChangedError, and as `getFolder` does
     */
    async change(editor: Editor, at: FileAt, wanted: WantedEdit): Promise<PassageEdit | undefined> {
      const file = await getIndexed(editor, at)
      const isBeginning = wanted.ordinal === BEGINNING && wanted.kind === 'add'
      const spot = isBeginning ? undefined : await findSpot(blobs, file, wanted.ordinal)
      if (!spot && !isBeginning) throw new PassageNotFoundError(wanted.ordinal)
      return commit(editor, at, async (tx, held, now) => {
        if (held.parsedBlobKey !== file.parsedBlobKey) throw new PassageChangedError()
        const edits = await listEdits(tx, held.organizationId, held.id)
        const { known, anchor } = spot ? changeAt(spot, edits) : { known: undefined, anchor: AT_BEGINNING }
        // The text that it has with changes that are not in the index yet: two people may have read the same one.
        const text = known ? known.text : spot?.chunk.text
        if (spot && wanted.was !== undefined && wanted.was !== text) throw new PassageChangedError()
        return writeChange(tx, held, { wanted, known, anchor, edits, keyId: editor.keyId, at: now, newId })
      })
    },

    /** Takes a change back: the passage is again as it was read. @throws PassageEditNotFoundError */
    async undo(editor: Editor, at: FileAt, id: string): Promise<void> {
      await commit(editor, at, async (tx, file) => {
        if (!(await findEdit(tx, file.organizationId, file.id, id))) throw new PassageEditNotFoundError()
        await deleteEdit(tx, file.organizationId, id)
      })
    },
  }
}

export type PassageEdits = ReturnType<typeof createPassageEdits>
