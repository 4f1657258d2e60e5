import { deleteUnlessUndone, docent, queryClient } from '../../access/access.ts'
import { retryWhileLimited } from '../../platform/state/retry-while-limited.ts'
import { refreshFiles, refreshFolders, toBatches } from '../drive.queries.ts'
import { hide, unhide } from '../items/hidden.ts'
import { describeItems, filesAmong, foldersAmong, type Item } from '../items/items.ts'

/** Hides items, and deletes them after a few seconds unless that is undone. */
export function deleteItems(items: Item[]): void {
  const ids = items.map(({ id }) => id)
  const files = Map.groupBy(filesAmong(items), (file) => file.knowledge_base_id)
  const folders = foldersAmong(items)
  hide(ids)
  deleteUnlessUndone({
    name: describeItems(items),
    // All at once: a page that is being left sends nothing later.
    remove: () =>
      Promise.all([
        ...[...files].flatMap(([folderId, own]) =>
          toBatches(own).map((batch) => retryWhileLimited(() => docent().dataSources.delete(folderId, batch))),
        ),
        ...folders.map(({ _id }) => retryWhileLimited(() => docent().knowledgeBases.delete(_id))),
      ]),
    async refresh() {
      for (const { _id } of folders) {
        queryClient.removeQueries({ queryKey: ['folder', _id] })
        queryClient.removeQueries({ queryKey: ['files', _id] })
      }
      await Promise.all([...[...files.keys()].map(refreshFiles), folders.length > 0 && refreshFolders()]).catch(
        () => {},
      )
    },
    // Items stay hidden until the lists are refreshed.
    unhide: () => unhide(ids),
  })
}
