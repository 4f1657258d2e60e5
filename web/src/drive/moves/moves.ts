import type { DataSource, KnowledgeBase } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { docent, queryClient } from '../../access/access.ts'
import { explain } from '../../platform/errors.ts'
import { forEachAtOnce } from '../../platform/state/for-each-at-once.ts'
import { retryWhileLimited } from '../../platform/state/retry-while-limited.ts'
import { dismissToast, toast, updateToast } from '../../ui/overlays/toasts.tsx'
import { unawaited } from '../../ui/unawaited.ts'
import { refreshFolders } from '../drive.queries.ts'
import { hide, unhide } from '../items/hidden.ts'
import { describeItems, type Item, parentFolderId } from '../items/items.ts'

/** Destination of a move; null for the root, which holds folders only. */
export type Target = Pick<KnowledgeBase, '_id' | 'name'> | null

const AT_ONCE = 4
const SHOWS_PROGRESS_FROM = 10

/** Reason why items cannot move there; undefined if they can, as far as the page knows. */
export function moveProblem(items: Item[], target: Target): string | undefined {
  if (items.length === 0) return t`Nothing is chosen.`
  if (target === null && items.some(({ kind }) => kind === 'file')) return t`Files live in folders.`
  if (items.some(({ id }) => id === target?._id)) return t`A folder cannot be put into itself.`
  if (items.every((item) => parentFolderId(item) === (target?._id ?? null))) return t`They are already there.`
  return undefined
}

/** Moves items, reports the result, and offers to undo it. */
export async function moveItems(items: Item[], target: Target): Promise<void> {
  const from = new Map(items.map((item) => [item.id, parentFolderId(item)]))
  const moved = await moveAll(items, () => target?._id ?? null, t`Moving to “${target?.name ?? t`Drive`}”`)
  if (moved.length === 0) return
  toast(t`${describeItems(moved)} moved to “${target?.name ?? t`Drive`}”`, {
    shownMs: 8_000,
    action: {
      label: t`Undo`,
      run() {
        const back = moved.map((item) => inPlace(item, target?._id ?? null))
        unawaited(moveAll(back, (item) => from.get(item.id) ?? null, t`Moving back`))
      },
    },
  })
}

/** @returns the moved items; a toast explains the failures */
async function moveAll(items: Item[], getTargetId: (item: Item) => string | null, title: string): Promise<Item[]> {
  const ids = items.map(({ id }) => id)
  hide(ids)
  const progressId = items.length >= SHOWS_PROGRESS_FROM ? toast(title, { progress: 0 }) : undefined
  const moved: Item[] = []
  const problems = new Map<string, Item[]>()
  await forEachAtOnce(items, AT_ONCE, async (item) => {
    try {
      await retryWhileLimited(() => moveOne(item, getTargetId(item)))
      moved.push(item)
    } catch (error) {
      const reason = explain(error)
      problems.set(reason, [...(problems.get(reason) ?? []), item])
    }
    if (progressId !== undefined)
      updateToast(progressId, `${title}: ${moved.length} of ${items.length}`, moved.length / items.length)
  })
  if (progressId !== undefined) dismissToast(progressId)
  for (const [reason, those] of problems)
    toast(t`${describeItems(those)} could not be moved. ${reason}`, { isError: true })
  await Promise.all([queryClient.invalidateQueries({ queryKey: ['files'] }), refreshFolders()])
  unhide(ids)
  return moved
}

async function moveOne(item: Item, targetId: string | null): Promise<void> {
  if (item.kind === 'folder') await docent().knowledgeBases.update(item.id, { parent_kb_id: targetId })
  else if (targetId !== null)
    await docent().dataSources.update(item.file.knowledge_base_id, item.id, { knowledge_base_id: targetId })
}

/** Item with the data it has after the move. */
function inPlace(item: Item, parentId: string | null): Item {
  if (item.kind === 'folder') return { ...item, folder: { ...item.folder, parent_kb_id: parentId } }
  return { ...item, file: { ...item.file, knowledge_base_id: parentId! } satisfies DataSource }
}
