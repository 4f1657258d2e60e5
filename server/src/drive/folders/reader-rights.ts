import {
  type FolderLevel,
  type FolderReader,
  type FolderRights,
  findFolderRights,
  isAtLeast,
} from '../../access/access.ts'
import type { Db } from '../../db.ts'
import { parentsUnder } from './cached-parents.ts'
import { lineFrom } from './folder-tree.ts'
import { type Folder, findFolders } from './folders.store.ts'

/** Level of a right to a folder; undefined: what the role gives. */
export type Level = FolderLevel | undefined

/** Rights to folders of a reader; undefined for one who has those of their role everywhere. */
export async function findRights(db: Db, reader: FolderReader): Promise<FolderRights | undefined> {
  const [first, ...others] = await findFolderRights(db, reader)
  let rights = first
  for (const other of others) rights = await combineRights(db, rights!, other)
  return rights
}

/** Rights that allow what two allow; both are new objects with each version of the rights. */
const combined = new WeakMap<FolderRights, WeakMap<FolderRights, FolderRights>>()

async function combineRights(db: Db, a: FolderRights, b: FolderRights): Promise<FolderRights> {
  const known = combined.get(a)?.get(b)
  if (known) return known
  const ids = [...new Set([...a.entries.keys(), ...b.entries.keys()])]
  const parents = await parentsUnder(db, a, a.organizationId, ids)
  const entries = new Map<string, FolderLevel>()
  for (const id of ids) {
    const line = lineFrom(id, parents)
    const level = lowerOf(levelIn(a, line), levelIn(b, line))
    // There is an entry of one of them, and what the role gives is no entry.
    if (level !== undefined) entries.set(id, level)
  }
  const both = { ...a, entries, otherwise: lowerOf(a.otherwise, b.otherwise) }
  const withA = combined.get(a) ?? new WeakMap()
  combined.set(a, withA.set(b, both))
  return both
}

/** @param line the folder and those that it lies in, from it upwards */
export function levelIn({ entries, otherwise }: FolderRights, line: readonly string[]): Level {
  for (const id of line) {
    const level = entries.get(id)
    if (level !== undefined) return level
  }
  return otherwise
}

const lowerOf = (a: Level, b: Level): Level => {
  if (a === undefined || b === undefined) return a ?? b
  return isAtLeast(a, b) ? b : a
}

export const isReadable = (level: Level): boolean => level !== 'none'

/** Whether the level allows `wanted`; without a level the role decides. */
export const allows = (level: Level, wanted: FolderLevel): boolean => level === undefined || isAtLeast(level, wanted)

export async function findLevel(
  db: Db,
  rights: FolderRights | undefined,
  { id, organizationId: owner }: Pick<Folder, 'id' | 'organizationId'>,
): Promise<Level> {
  return rights && levelIn(rights, lineFrom(id, await parentsUnder(db, rights, owner, [id])))
}

/** Roots and stops of a walk that comes to all folders below, and no others, that may be read. */
export interface ReadableWalk {
  roots: string[]
  stops: string[]
}

/** The walk that takes the place of one from these roots of one owner down. */
export async function readableWalk(
  db: Db,
  owner: string,
  rights: FolderRights | undefined,
  rootIds: readonly string[],
  { recursive = true }: { recursive?: boolean } = {},
): Promise<ReadableWalk> {
  if (!rights || rootIds.length === 0) return { roots: [...rootIds], stops: [] }
  const parents = await parentsUnder(db, rights, owner, rootIds)
  const roots = rootIds.filter((id) => isReadable(levelIn(rights, lineFrom(id, parents))))
  if (!recursive) return { roots, stops: [] }
  const { closed, openings } = await findBorders(db, owner, rights)
  const below = (borders: Borders['closed']) => rootIds.flatMap((id) => borders.get(id) ?? [])
  return { roots: [...new Set([...roots, ...below(openings)])], stops: [...new Set(below(closed))] }
}

/** Folders at which a right to read ends or begins, by each folder that they are or lie in. */
interface Borders {
  closed: Map<string, string[]>
  openings: Map<string, string[]>
}

/** Borders by rights object. Each version of the rights is a new object, and moving a folder makes a new version. */
const borders = new WeakMap<FolderRights, Borders>()

async function findBorders(db: Db, owner: string, rights: FolderRights): Promise<Borders> {
  const known = owner === rights.organizationId ? borders.get(rights) : undefined
  if (known) return known
  const parents = await parentsUnder(db, rights, owner, [...rights.entries.keys()])
  const found: Borders = { closed: new Map(), openings: new Map() }
  for (const [id, level] of rights.entries) {
    // A folder of another organization.
    if (!parents.has(id)) continue
    const line = lineFrom(id, parents)
    const isOpen = isReadable(level)
    // Its parent is readable, so the walk from there reaches it.
    if (isOpen && isReadable(levelIn(rights, line.slice(1)))) continue
    const those = isOpen ? found.openings : found.closed
    for (const above of line) {
      const ids = those.get(above)
      if (ids) ids.push(id)
      else those.set(above, [id])
    }
  }
  if (owner === rights.organizationId) borders.set(rights, found)
  return found
}

/** Folders that may be read among some that lie in one of this level. */
export const readableAmong = <F extends { id: string }>(
  rights: FolderRights | undefined,
  folders: F[],
  level: Level,
): F[] => (rights ? folders.filter(({ id }) => isReadable(rights.entries.get(id) ?? level)) : folders)

/** Folders that may be read below one that may not: they are at the root, as if they lay there. */
export async function findOpenings(db: Db, owner: string, rights: FolderRights | undefined): Promise<Folder[]> {
  const open = rights ? [...rights.entries].filter(([, level]) => isReadable(level)).map(([id]) => id) : []
  if (open.length === 0) return []
  const parents = await parentsUnder(db, rights!, owner, open)
  const openings = open.filter((id) => {
    const parentId = parents.get(id)
    return parentId != null && !isReadable(levelIn(rights!, lineFrom(parentId, parents)))
  })
  return (await findFolders(db, owner, openings)).map((folder) => ({ ...folder, parentId: null }))
}

/** Whether the rights allow `wanted` on a folder and on all below it. */
export async function allowsWhole(
  db: Db,
  rights: FolderRights | undefined,
  { id, organizationId: owner }: Pick<Folder, 'id' | 'organizationId'>,
  wanted: FolderLevel,
): Promise<boolean> {
  const lower = rights ? [...rights.entries].filter(([, level]) => !isAtLeast(level, wanted)).map(([one]) => one) : []
  if (lower.length === 0) return true
  const parents = await parentsUnder(db, rights!, owner, lower)
  return !lower.some((one) => one !== id && parents.has(one) && lineFrom(one, parents).includes(id))
}

/** Whether a reader has other rights than their role gives, to some folder at least. */
export const isRestricted = async (db: Db, reader: FolderReader): Promise<boolean> =>
  (await findFolderRights(db, reader)).length > 0
