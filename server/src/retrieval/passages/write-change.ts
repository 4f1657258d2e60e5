import type { Tx } from '../../db.ts'
import type { DataSource } from '../../drive/drive.ts'
import { invalidField } from '../../platform/errors.ts'
import type { NewId } from '../../platform/ids.ts'
import { inOrder } from './compose-passages.ts'
import { deleteEdit, insertEdit, moveBack, type PassageEdit, updateEdit } from './passage-edits.store.ts'
import type { Anchor } from './passage-places.ts'

const MOST_EDITS = 1_000
const KINDS = { add: 'added', edit: 'edited', off: 'off' } as const

/** Change that somebody wants of the passage at a place, counted as the file is searched now. */
export type WantedEdit = { ordinal: number; was?: string | undefined } & (
  | { kind: 'edit' | 'add'; text: string }
  | { kind: 'off' }
)

interface Change {
  wanted: WantedEdit
  /** Change that the passage has or is about to have. */
  known: PassageEdit | undefined
  /** Passage that a new change belongs to. */
  anchor: Anchor
  /** Changes of the file. */
  edits: readonly PassageEdit[]
  keyId: string | null
  at: string
  newId: NewId
}

/** Writes a change of a file's passages. @returns undefined when an added passage was switched off: it is gone */
export async function writeChange(
  tx: Tx,
  { organizationId, id: dataSourceId }: DataSource,
  { wanted, known, anchor, edits, keyId, at, newId }: Change,
): Promise<PassageEdit | undefined> {
  const text = wanted.kind === 'off' ? null : wanted.text
  if (known && wanted.kind !== 'add') {
    if (wanted.kind === 'off' && known.kind === 'added') {
      await deleteEdit(tx, organizationId, known.id)
      return undefined
    }
    const kind = known.kind === 'added' ? 'added' : KINDS[wanted.kind]
    const changes = { kind, text, state: 'waiting', keyId, updatedAt: at } as const
    await updateEdit(tx, organizationId, known.id, changes)
    return { ...known, ...changes }
  }
  if (edits.length >= MOST_EDITS) throw invalidField('kind', `a file may have at most ${MOST_EDITS} changes by hand`)
  const { anchorHash, anchorOrdinal, anchorText } = anchor
  const position = wanted.kind === 'add' ? await makeRoom(tx, organizationId, { known, anchor, edits }) : 0
  const edit: PassageEdit = {
    id: newId(),
    organizationId,
    dataSourceId,
    kind: KINDS[wanted.kind],
    anchorHash,
    anchorOrdinal,
    anchorText,
    position,
    text,
    state: 'waiting',
    keyId,
    createdAt: at,
    updatedAt: at,
  }
  await insertEdit(tx, organizationId, edit)
  return edit
}

/** Makes room right after an added passage, or before all that were added after another. @returns the position there */
async function makeRoom(
  tx: Tx,
  organizationId: string,
  { known, anchor, edits }: Pick<Change, 'known' | 'anchor' | 'edits'>,
): Promise<number> {
  const isBeside = (edit: PassageEdit) =>
    edit.anchorHash === anchor.anchorHash && edit.anchorOrdinal === anchor.anchorOrdinal
  const beside = inOrder(edits.filter(isBeside))
  const at = beside.findIndex(({ id }) => id === known?.id)
  if (at === -1) return beside.length > 0 ? beside[0]!.position - 1 : 0
  // By two: those of earlier versions all have the position 0.
  const later = beside.slice(at + 1).map(({ id }) => id)
  await moveBack(tx, organizationId, later, 2)
  return known!.position + 1
}
