import type { Chat, Message } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { docent } from '../../access/access.ts'
import { fileNameFrom, saveFile } from '../../platform/save-file.ts'
import { dismissToast, toast } from '../../ui/overlays/toasts.tsx'
import { toMarkdown } from './chat-markdown.ts'

const TYPES = { md: 'text/markdown', json: 'application/json' }

/** Saves a chat with all of its questions: as Markdown to read, or as JSON as the API has it. */
export async function exportChat(chat: Chat, format: keyof typeof TYPES): Promise<void> {
  const stop = new AbortController()
  const id = toast(t`Reading the chat`, { action: { label: t`Stop`, run: () => stop.abort() } })
  try {
    const messages = await readAll(chat, stop.signal)
    const text = format === 'md' ? toMarkdown(chat, messages) : `${JSON.stringify({ ...chat, messages }, null, 2)}\n`
    saveFile(`${fileNameFrom(chat.title, 'chat')}.${format}`, new Blob([text], { type: TYPES[format] }))
  } catch (error) {
    if (!stop.signal.aborted) throw error
  } finally {
    dismissToast(id)
  }
}

/** Oldest first. */
async function readAll({ agent_id: agentId, id: chatId }: Chat, signal: AbortSignal): Promise<Message[]> {
  const all: Message[] = []
  for (let page = 1; ; page++) {
    const query = { page, page_size: 100, downloadable_output: true } as const
    const { messages, has_more } = await docent().chats.messages.list(agentId, chatId, query, { signal })
    all.push(...messages)
    if (!has_more) return all
  }
}
