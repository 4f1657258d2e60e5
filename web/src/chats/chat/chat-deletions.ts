import type { Chat } from '@docent/sdk'
import { beforeSignOut } from '../../access/access.ts'
import { explain } from '../../platform/errors.ts'
import { retryWhileLimited } from '../../platform/retry-while-limited.ts'
import { createStore, useStore } from '../../platform/store.ts'
import { dismissToast, toast } from '../../ui/overlays/toasts.tsx'
import { unawaited } from '../../ui/unawaited.ts'
import { deleteChat } from '../chats.queries.ts'

/** Time to undo: the server's deletion is final, so it is requested only after this. */
const SECONDS_TO_UNDO = 8

interface Deletion {
  chat: Chat
  timer: ReturnType<typeof setTimeout>
  toastId: number
}

const waiting = new Set<Deletion>()
const hidden = createStore<ReadonlySet<string>>(new Set())

/** Chats that are about to be deleted, by id. */
export const useHiddenChats = (): ReadonlySet<string> => useStore(hidden)

/** Hides a chat, and deletes it after a few seconds unless that is undone. */
export function deleteSoon(chat: Chat): void {
  hidden.set((all) => new Set(all).add(chat.id))
  const deletion: Deletion = {
    chat,
    timer: setTimeout(() => unawaited(carryOut(deletion)), SECONDS_TO_UNDO * 1000),
    toastId: toast(`“${chat.title}” deleted`, {
      shownMs: SECONDS_TO_UNDO * 1000,
      action: {
        label: 'Undo',
        run() {
          clearTimeout(deletion.timer)
          waiting.delete(deletion)
          show(chat.id)
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
  const { id, agent_id, title } = deletion.chat
  try {
    await retryWhileLimited(() => deleteChat({ agentId: agent_id, chatId: id }))
  } catch (error) {
    toast(`“${title}” could not be deleted. ${explain(error)}`, { isError: true })
  }
  show(id)
}

const show = (id: string) => hidden.set((all) => new Set([...all].filter((one) => one !== id)))

/** Leaving the page counts as not undoing. */
const carryOutAll = () => Promise.all([...waiting].map(carryOut))

addEventListener('pagehide', () => unawaited(carryOutAll()))
beforeSignOut(carryOutAll)
