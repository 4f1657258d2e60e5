/** Kinds of changes by hand: another text for a passage, none, or a passage after it. */
export type PassageEditKind = 'edited' | 'off' | 'added'

/** `waiting`: not in the index yet; `orphaned`: the passage that it belongs to is not in the file any more. */
export type PassageEditState = 'waiting' | 'applied' | 'orphaned'

/** Change of a file's passages by hand. */
export interface PassageEditTable {
  id: string
  organization_id: string
  data_source_id: string
  kind: PassageEditKind
  /** Hash of the text, as it was read, of the passage that it belongs to; empty for the beginning of the file. */
  anchor_hash: string
  /** Place of that passage when it was last seen; -1 for the beginning. Decides among passages of one text. */
  anchor_ordinal: number
  anchor_text: string
  /** Order among the passages that were added at one place; where it is equal, the older is first. */
  position: number
  /** Null for a passage that is switched off. */
  text: string | null
  state: PassageEditState
  key_id: string | null
  created_at: string
  updated_at: string
}
