import { beforeSignOut, docent, queryClient } from '../../access/access.ts'
import { explain } from '../../platform/errors.ts'
import { retryWhileLimited } from '../../platform/retry-while-limited.ts'
import { dismissToast, toast } from '../../ui/overlays/toasts.tsx'
import { unawaited } from '../../ui/unawaited.ts'
import { refreshFiles, refreshFolders, toBatches } from '../drive.queries.ts'
import { hide, unhide } from '../items/hidden.ts'
import { describeItems, filesAmong, foldersAmong, type Item } from '../items/items.ts'

/** Time to undo: the server's deletion is final, so it is requested only after this. */
const SECONDS_TO_UNDO = 8

interface Deletion {
  items: Item[]
  timer: ReturnType<typeof setTimeout>
  toastId: number
}

const waiting = new Set<Deletion>()

/** Hides items, and deletes them after a few seconds unless that is undone. */
export function deleteItems(items: Item[]): void {
  const ids = items.map(({ id }) => id)
  hide(ids)
  const deletion: Deletion = {
    items,
    timer: setTimeout(() => unawaited(carryOut(deletion)), SECONDS_TO_UNDO * 1000),
    toastId: toast(`${describeItems(items)} deleted`, {
      shownMs: SECONDS_TO_UNDO * 1000,
      action: {
        label: 'Undo',
        run() {
          clearTimeout(deletion.timer)
          waiting.delete(deletion)
          unhide(ids)
        },
      },
    }),
  }
  waiting.add(deletion)
}

async function carryOut(deletion: Deletion): Promise<void> {
  if (!waiting.delete(deletion)) return
  clearTimeout(deletion.timer)
  dismissToast(deletion.toastId)
  const files = filesAmong(deletion.items)
  const folders = foldersAmong(deletion.items)
  try {
    // All at once: a page that is being left sends nothing later.
    await Promise.all([
      ...[...Map.groupBy(files, (file) => file.knowledge_base_id)].flatMap(([folderId, own]) =>
        toBatches(own).map((ids) => retryWhileLimited(() => docent().dataSources.delete(folderId, ids))),
      ),
      ...folders.map(({ _id }) => retryWhileLimited(() => docent().knowledgeBases.delete(_id))),
    ])
  } catch (error) {
    toast(`${describeItems(deletion.items)} could not be deleted. ${explain(error)}`, { isError: true })
  }
  for (const { _id } of folders) {
    queryClient.removeQueries({ queryKey: ['folder', _id] })
    queryClient.removeQueries({ queryKey: ['files', _id] })
  }
  const parents = new Set(files.map((file) => file.knowledge_base_id))
  await Promise.all([...[...parents].map(refreshFiles), folders.length > 0 && refreshFolders()]).catch(() => {})
  // Items stay hidden until the lists are refreshed.
  unhide(deletion.items.map(({ id }) => id))
}

/** Leaving the page counts as not undoing. */
const carryOutAll = () => Promise.all([...waiting].map(carryOut))

addEventListener('pagehide', () => unawaited(carryOutAll()))
beforeSignOut(carryOutAll)
