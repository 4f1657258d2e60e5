import { existsSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { S3Settings } from '../../platform/blobs/s3-settings.ts'
import { connectLance, type LanceStorage } from '../../search/lance/lance-library.ts'

/**
 * Copies the files of the search index, which name each other by relative paths only, and counts the passages of each
 * of its tables on both sides.
 * @param from its folder, that nothing writes to
 * @throws Error when the copy differs
 */
export async function copyIndex(
  from: string,
  { s3, search }: { s3: S3Settings | undefined; search: LanceStorage },
): Promise<{ tables: number; passages: number }> {
  if (!existsSync(from)) return { tables: 0, passages: 0 }
  if (s3) {
    const [{ uploadFolder }, { SEARCH_FOLDER }] = await Promise.all([
      import('../../platform/blobs/s3-folder.ts'),
      import('../../search/lance/lance-s3.ts'),
    ])
    // A version is what readers begin with: it must not name what is not there yet.
    await uploadFolder(s3, {
      folder: from,
      name: SEARCH_FOLDER,
      isLast: (path) => path.includes(`${sep}_versions${sep}`),
    })
  } else await cp(from, join(search.uri), { recursive: true })
  const wanted = await countPassages({ uri: from })
  const found = await countPassages(search)
  const differing = [...wanted].filter(([table, count]) => found.get(table) !== count)
  if (differing.length > 0) {
    const [[table, count]] = differing as [[string, number]]
    throw new Error(
      `The copy of the search index differs: its table ${table} has ${found.get(table) ?? 0} of ${count} passages`,
    )
  }
  return { tables: wanted.size, passages: [...wanted.values()].reduce((sum, count) => sum + count, 0) }
}

async function countPassages(storage: LanceStorage): Promise<Map<string, number>> {
  const { connection } = await connectLance(storage, true)
  try {
    const counts = new Map<string, number>()
    let pageToken: string | undefined
    do {
      const page = await connection.listTables({ pageToken, limit: 100 })
      for (const name of page.tables) {
        const table = await connection.openTable(name)
        counts.set(name, await table.countRows())
        table.close()
      }
      pageToken = page.pageToken
    } while (pageToken)
    return counts
  } finally {
    connection.close()
  }
}
