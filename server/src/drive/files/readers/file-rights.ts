import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import {
  type FolderReader,
  findNarrowed,
  findSubjectsOfMember,
  hasReaderLists,
  type ReaderSubject,
  selectListsNaming,
  subjectsOfPerson,
} from '../../../access/access.ts'
import type { Db, Tables } from '../../../db.ts'
import { findEmailsOfUser } from '../../../users/users.ts'

/**
 * Rights to files of somebody whom lists of readers concern: each part is one person, of whom a list has to name one
 * subject. A file without a list is everybody's who may read its folder.
 */
export interface FileRights {
  organizationId: string
  people: readonly (readonly ReaderSubject[])[]
}

/**
 * Rights to files of a reader, as they are now; undefined: every file of the folders that they may read. Costs nothing for
 * owners, admins and their keys, and one statement by primary key while no file of the organization has a list.
 * @param owner organization that the files belong to: with another one only files without a list are shared
 */
export async function findFileRights(
  db: Db,
  reader: FolderReader,
  owner: string = reader.organizationId,
): Promise<FileRights | undefined> {
  const { organizationId } = reader
  if (owner !== organizationId) return { organizationId: owner, people: [[]] }
  const { rightsHolderId, workspaceId, virtualUserId } = reader
  if (rightsHolderId === null && virtualUserId == null) return undefined
  if (!(await hasReaderLists(db, organizationId))) return undefined
  const people: ReaderSubject[][] = []
  if (virtualUserId != null) {
    const emails = await findEmailsOfUser(db, organizationId, virtualUserId)
    people.push(subjectsOfPerson(emails, []))
  }
  // A key of the workspace is nobody: it reads for the virtual user whom it names, or what is everybody's.
  if (rightsHolderId === workspaceId && rightsHolderId !== null) {
    if (people.length === 0) people.push([])
  } else if (rightsHolderId !== null) {
    const subjects = await findSubjectsOfMember(db, organizationId, rightsHolderId)
    if (subjects) people.push(subjects)
  }
  return people.length > 0 ? { organizationId, people } : undefined
}

/** Condition of a statement on `data_source`: the file has no list, or one that names each of these people. */
export const mayRead =
  (rights: FileRights | undefined) =>
  (where: ExpressionBuilder<Tables, 'data_source'>): Expression<SqlBool> =>
    where.and(
      (rights?.people ?? []).map((subjects) => {
        const isEverybodys = where('data_source.reader_list_id', 'is', null)
        if (subjects.length === 0) return isEverybodys
        const lists = selectListsNaming(where, rights!.organizationId, subjects)
        return where.or([isEverybodys, where('data_source.reader_list_id', 'in', lists)])
      }),
    )

/** Condition of a statement on `data_source`: a list hides the file. */
export const mayNotRead =
  (rights: FileRights) =>
  (where: ExpressionBuilder<Tables, 'data_source'>): Expression<SqlBool> =>
    where.and([where('data_source.reader_list_id', 'is not', null), where.not(mayRead(rights)(where))])

/**
 * Restriction of a reader by lists of readers.
 * @returns `since`, the time until which answers to them may hold more than they may read now; empty where none may
 */
export async function findFileRestriction(db: Db, reader: FolderReader): Promise<{ since: string } | undefined> {
  const rights = await findFileRights(db, reader)
  return rights && { since: await findNarrowed(db, reader.organizationId, rights.people.flat()) }
}
