import { t } from '@lingui/core/macro'
import { explain } from '../platform/errors.ts'
import { dismissToast, toast } from '../ui/overlays/toasts.tsx'
import { unawaited } from '../ui/unawaited.ts'
import { addSignOutTask } from './session/session.ts'

/** Time to undo: the server's deletion is final, so it is requested only after this. */
const UNDO_MS = 8_000

export interface Deletion {
  /** Description for messages: `“tides.txt”`, `3 items`. */
  name: string
  /** Deletes it on the server. */
  remove: () => Promise<unknown>
  /** Reads again what the deletion changes, even if it failed. */
  refresh?: () => Promise<unknown>
  /** Shows it again: after an undo, or when all is done. */
  unhide: () => void
}

const pending = new Map<Deletion, { timer: ReturnType<typeof setTimeout>; toastId: number }>()

/** Deletes something in a few seconds, or when the page is left or the session ends, unless the person undoes it. */
export function deleteUnlessUndone(deletion: Deletion): void {
  const timer = setTimeout(() => unawaited(carryOut(deletion)), UNDO_MS)
  const toastId = toast(t`${deletion.name} deleted`, {
    shownMs: UNDO_MS,
    action: {
      label: t`Undo`,
      run() {
        clearTimeout(timer)
        pending.delete(deletion)
        deletion.unhide()
      },
    },
  })
  pending.set(deletion, { timer, toastId })
}

async function carryOut(deletion: Deletion): Promise<void> {
  const { name, remove, refresh, unhide } = deletion
  const found = pending.get(deletion)
  if (!found) return
  pending.delete(deletion)
  clearTimeout(found.timer)
  dismissToast(found.toastId)
  try {
    await remove()
  } catch (error) {
    toast(t`${name} could not be deleted. ${explain(error)}`, { isError: true })
  }
  await refresh?.()
  unhide()
}

/** Leaving the page counts as not undoing. */
const carryOutAll = () => Promise.all([...pending.keys()].map(carryOut))

addEventListener('pagehide', () => unawaited(carryOutAll()))
addSignOutTask(carryOutAll)
