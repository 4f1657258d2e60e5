import type { Db, Tables, Tx } from '../../db.ts'
import { prepared } from '../../platform/database/statements/prepared.ts'
import { type FileRights, mayRead } from '../files/readers/file-rights.ts'
import { withLiveTree } from './folder-tree.ts'

export interface Folder {
  id: string
  organizationId: string
  parentId: string | null
  name: string
  /** Lower-case NFC form: what names are compared by within a location. */
  nameKey: string
  tags: string[]
  integrationId: string | null
  /** Id that the source of its integration gives it. */
  sourceKey: string | null
  createdAt: string
  updatedAt: string
}

export const FOLDER_COLUMNS = [
  'folder.id',
  'folder.organization_id as organizationId',
  'folder.parent_id as parentId',
  'folder.name',
  'folder.name_key as nameKey',
  'folder.tags',
  'folder.integration_id as integrationId',
  'folder.source_key as sourceKey',
  'folder.created_at as createdAt',
  'folder.updated_at as updatedAt',
] as const

type FolderRow = Omit<Folder, 'tags'> & { tags: string }

/** Record of a row that was read by `FOLDER_COLUMNS`. */
export const toFolder = ({ tags, ...row }: FolderRow): Folder => ({ ...row, tags: JSON.parse(tags) as string[] })

const liveFolder = prepared<Tables, { organizationId: string; folderId: string }, FolderRow>(
  (db, { organizationId, folderId }) =>
    db
      .selectFrom('folder')
      .select(FOLDER_COLUMNS)
      .where('organization_id', '=', organizationId)
      .where('id', '=', folderId)
      .where('deleted_at', 'is', null),
)

/** A live folder of the organization. */
export async function findFolder(db: Db, organizationId: string, folderId: string): Promise<Folder | undefined> {
  const { rows } = await liveFolder(db, { organizationId, folderId })
  return rows[0] && toFolder(rows[0])
}

/** The live folders among the ids. */
export async function findFolders(db: Db, organizationId: string, folderIds: string[]): Promise<Folder[]> {
  if (folderIds.length === 0) return []
  const rows = await db
    .selectFrom('folder')
    .select(FOLDER_COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('id', 'in', folderIds)
    .where('deleted_at', 'is', null)
    .execute()
  return rows.map(toFolder)
}

/** The live folders directly inside a parent (null: at the root), by name. */
export async function listFolders(db: Db, organizationId: string, parentId: string | null): Promise<Folder[]> {
  const rows = await db
    .selectFrom('folder')
    .select(FOLDER_COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('parent_id', parentId === null ? 'is' : '=', parentId)
    .where('deleted_at', 'is', null)
    .orderBy('name_key')
    .orderBy('id')
    .execute()
  return rows.map(toFolder)
}

/** The live folder of that name in a location. */
export const findFolderNamed = (
  db: Db,
  organizationId: string,
  { parentId, nameKey }: { parentId: string | null; nameKey: string },
): Promise<{ id: string } | undefined> =>
  db
    .selectFrom('folder')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('parent_id', parentId === null ? 'is' : '=', parentId)
    .where('name_key', '=', nameKey)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

export async function insertFolder(
  tx: Tx,
  organizationId: string,
  folder: Omit<Folder, 'organizationId'>,
): Promise<void> {
  await tx
    .insertInto('folder')
    .values({
      id: folder.id,
      organization_id: organizationId,
      parent_id: folder.parentId,
      name: folder.name,
      name_key: folder.nameKey,
      tags: JSON.stringify(folder.tags),
      integration_id: folder.integrationId,
      source_key: folder.sourceKey,
      created_at: folder.createdAt,
      updated_at: folder.updatedAt,
      deleted_at: null,
    })
    .execute()
}

export type FolderChanges = Partial<Pick<Folder, 'parentId' | 'name' | 'nameKey' | 'tags' | 'sourceKey' | 'updatedAt'>>

/** Changes what is named; the rest stays. */
export async function updateFolder(
  tx: Tx,
  organizationId: string,
  folderId: string,
  { parentId, name, nameKey, tags, sourceKey, updatedAt }: FolderChanges,
): Promise<void> {
  await tx
    .updateTable('folder')
    .set({
      parent_id: parentId,
      name,
      name_key: nameKey,
      tags: tags && JSON.stringify(tags),
      source_key: sourceKey,
      updated_at: updatedAt,
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', folderId)
    .execute()
}

/** Counts the entries directly inside a folder, without some of its folders and without files that a list hides. */
export async function countChildren(
  db: Db,
  organizationId: string,
  folderId: string,
  { hidden, rights }: { hidden: readonly string[]; rights: FileRights | undefined },
): Promise<{ folders: number; files: number }> {
  const folders = (await countFoldersIn(db, organizationId, [folderId], hidden)).get(folderId) ?? 0
  const files = await db
    .selectFrom('data_source')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('folder_id', '=', folderId)
    .where(mayRead(rights))
    .executeTakeFirstOrThrow()
  return { folders, files: Number(files.count) }
}

/** Folders of one count: far from the parameters that a statement may have. */
const COUNTED_AT_ONCE = 500

/** Counts the live folders directly inside each of these, without some; one that has none is left out. */
export async function countFoldersIn(
  db: Db,
  organizationId: string,
  parentIds: readonly string[],
  hidden: readonly string[],
): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (let at = 0; at < parentIds.length; at += COUNTED_AT_ONCE) {
    const rows = await db
      .selectFrom('folder')
      .select((select) => ['parent_id', select.fn.countAll<number>().as('count')])
      .where('organization_id', '=', organizationId)
      .where('parent_id', 'in', parentIds.slice(at, at + COUNTED_AT_ONCE))
      .where('deleted_at', 'is', null)
      .$if(hidden.length > 0, (folders) => folders.where('id', 'not in', hidden))
      .groupBy('parent_id')
      .execute()
    for (const { parent_id, count } of rows) counts.set(parent_id!, Number(count))
  }
  return counts
}

/** Puts a live folder and everything below it out of reach, at once. */
export async function markTreeDeleted(tx: Tx, organizationId: string, folderId: string, at: string): Promise<void> {
  await withLiveTree(tx, organizationId, [folderId])
    .updateTable('folder')
    .set({ deleted_at: at })
    .where('organization_id', '=', organizationId)
    .where('id', 'in', (select) => select.selectFrom('tree').select('tree.id'))
    .execute()
}

/** Removes rows of deleted folders that nothing is in any more; parents and children may go together. */
export async function deleteFolderRows(tx: Tx, organizationId: string, folderIds: string[]): Promise<void> {
  await tx
    .deleteFrom('folder')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', folderIds)
    .where('deleted_at', 'is not', null)
    .execute()
}
