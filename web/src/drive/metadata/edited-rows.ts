import type { DataSource, FileMetadata } from '@docent/sdk'
import { type EditedValue, isSame, kindOf, type MetadataValue, NO_VALUE, toEdited, toValue } from './values.ts'

/** Key and value of files, as they are edited. */
export interface EditedRow {
  id: number
  key: string
  value: EditedValue
  /** Key that it was read under; undefined for one that was added. */
  keyBefore?: string
  /** Value that all the files have; undefined where they differ. */
  before?: MetadataValue
}

/** Whether files have different values for it, and nobody has entered one for all. */
export const isMixed = ({ keyBefore, before, value }: EditedRow): boolean =>
  keyBefore !== undefined && before === undefined && value.text === '' && value.items.length === 0

/** Rows for all keys that some of the files have. */
export function toRows(files: DataSource[]): EditedRow[] {
  const keys = [...new Set(files.flatMap(({ metadata }) => Object.keys(metadata)))]
  return keys.map((key, id) => {
    const values = files.map(({ metadata }) => metadata[key])
    const some = values.find((value) => value !== undefined)!
    if (values.every((value) => isSame(value, some)))
      return { id, key, keyBefore: key, before: some, value: toEdited(some) }
    return { id, key, keyBefore: key, value: { ...NO_VALUE, kind: kindOf(some) } }
  })
}

export interface MetadataChange {
  set: FileMetadata
  remove: string[]
}

/** Change to send: keys that got another value, and keys that are gone. Everything else stays as it is by then. */
export function toChange(rows: EditedRow[], files: DataSource[]): MetadataChange {
  const set: FileMetadata = {}
  for (const row of rows) {
    const key = row.key.trim()
    if (isMixed(row)) continue
    const value = toValue(row.value, row.before)
    if (value !== undefined && !(key === row.keyBefore && isSame(value, row.before))) set[key] = value
  }
  const kept = new Set(rows.map(({ key }) => key.trim()))
  const before = new Set(files.flatMap(({ metadata }) => Object.keys(metadata)))
  return { set, remove: [...before].filter((key) => !kept.has(key)) }
}

/** Whether an earlier row has the same key. */
export const isTwice = (rows: EditedRow[], { id, key }: EditedRow): boolean =>
  key.trim() !== '' &&
  rows
    .slice(
      0,
      rows.findIndex((row) => row.id === id),
    )
    .some((row) => row.key.trim() === key.trim())
