import { type FolderReader, findFolderRights } from '../../access/access.ts'
import type { Db } from '../../db.ts'
import { findFileRestriction } from '../files/readers/file-rights.ts'

/**
 * Restriction of a reader who may read less than their role lets them: folders by their grants, files by their lists.
 * @returns `since`, the time until which answers to them may hold more than that; empty where none may
 */
export async function findRestriction(db: Db, reader: FolderReader): Promise<{ since: string } | undefined> {
  const ofFiles = await findFileRestriction(db, reader)
  const all = [...(await findFolderRights(db, reader)), ...(ofFiles ? [ofFiles] : [])]
  if (all.length === 0) return undefined
  return { since: all.reduce((latest, { since = '' }) => (since > latest ? since : latest), '') }
}
