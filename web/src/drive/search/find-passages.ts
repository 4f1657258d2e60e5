import type { KnowledgeBase, SearchHit } from '@docent/sdk'
import { docent } from '../../access/access.ts'
import { listFolders } from '../drive.queries.ts'

const MOST = 8
/** Folders at the root that are looked through. */
const MOST_FOLDERS = 20

/** Best passages for a query, in a folder with all below it, or in all folders (null). */
export async function findPassages(
  folder: KnowledgeBase | null,
  query: string,
  signal: AbortSignal,
): Promise<SearchHit[]> {
  const folders = folder ? [folder] : (await listFolders(null, signal)).slice(0, MOST_FOLDERS)
  const found = await Promise.all(
    folders.map(({ _id }) => docent().knowledgeBases.search(_id, { query, limit: MOST, recursive: true }, { signal })),
  )
  return found
    .flat()
    .sort((one, other) => other.score - one.score)
    .slice(0, MOST)
}
