import { queryOptions } from '@tanstack/react-query'
import { docent } from '../../access/access.ts'
import { forEachAtOnce } from '../../platform/state/for-each-at-once.ts'
import { listFolders } from '../drive.queries.ts'
import { folderItem, type Item, toItem } from '../items/items.ts'

const FOUND_PER_FOLDER = 50
const AT_ONCE = 4

/** Files and folders whose names contain the text, in all folders: those at the root first. */
export const findEverywhere = (search: string) =>
  queryOptions({
    queryKey: ['found', search],
    queryFn: async ({ signal }): Promise<Item[]> => {
      const roots = await listFolders(null, signal)
      const found = roots.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase())).map(folderItem)
      const below: Item[][] = []
      await forEachAtOnce(roots.entries(), AT_ONCE, async ([index, folder]) => {
        const query = { search_str: search, recursive: true, page_size: FOUND_PER_FOLDER }
        const { data_sources } = await docent().dataSources.list(folder._id, query, { signal })
        below[index] = data_sources.map((item) => toItem(item, folder))
      })
      return [...found, ...below.flat()]
    },
  })
