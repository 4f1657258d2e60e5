import type { Chat } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { docent } from '../../access/access.ts'
import { fileNameFrom, saveFile } from '../../platform/files/save-file.ts'
import { dismissToast, toast } from '../../ui/overlays/toasts.tsx'

/** Saves a chat with all of its questions: as a document to read, or as JSON as the API has it. */
export async function exportChat(chat: Chat, format: 'md' | 'pdf' | 'json'): Promise<void> {
  const stop = new AbortController()
  const id = toast(t`Reading the chat`, { action: { label: t`Stop`, run: () => stop.abort() } })
  try {
    const file = await docent().chats.export(chat.agent_id, chat.id, format, { signal: stop.signal })
    saveFile(`${fileNameFrom(chat.title, 'chat')}.${format}`, await file.blob())
  } catch (error) {
    if (!stop.signal.aborted) throw error
  } finally {
    dismissToast(id)
  }
}
