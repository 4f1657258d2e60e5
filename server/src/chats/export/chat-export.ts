import type { Caller } from '../../access/access.ts'
import { type FileMaker, MakeFailure } from '../../agents/agents.ts'
import { chatToWire } from '../chat/chats.routes.ts'
import type { ChatPath } from '../chat/chats.schemas.ts'
import type { ChatService } from '../chat/chats.service.ts'
import { ChatNotExportableError } from '../chats.errors.ts'
import type { ShownMessage } from '../messages/messages.history.store.ts'
import type { MessageService } from '../messages/messages.service.ts'
import { toWire, usageOf } from '../messages/messages.wire.ts'
import type { OutputService } from '../outputs/outputs.service.ts'
import { toMarkdown } from './chat-markdown.ts'

const PAGE = 100
/** Messages of one export: about as many as a person reads in a year. */
const MOST_MESSAGES = 10_000
/** Characters that are laid out as a PDF: about a thousand pages. */
const MOST_IN_PDF = 2_000_000

export const EXPORTS = {
  md: 'text/markdown; charset=utf-8',
  json: 'application/json; charset=utf-8',
  pdf: 'application/pdf',
} as const
export type ExportFormat = keyof typeof EXPORTS

export interface ChatExportOptions {
  chats: Pick<ChatService, 'get'>
  messages: Pick<MessageService, 'history'>
  outputs: Pick<OutputService, 'listFiles'>
  fileMaker: FileMaker
}

export interface ExportedChat {
  title: string
  content: string | Buffer
}

export type ChatExport = ReturnType<typeof createChatExport>

/** Makes documents of chats: of the branch that is shown, oldest message first. */
export function createChatExport({ chats, messages, outputs, fileMaker }: ChatExportOptions) {
  async function readAll(caller: Caller, path: ChatPath, signal: AbortSignal) {
    const rows: ReturnType<typeof toWire>[] = []
    for (let page = 1; ; page++) {
      signal.throwIfAborted()
      const at = { from_message: null, page, page_size: PAGE, order: 'asc', usage: true } as const
      const read = await messages.history(caller, path, at)
      if (read.total > MOST_MESSAGES)
        throw new ChatNotExportableError(`The chat has ${read.total} messages: ${MOST_MESSAGES} at most are exported`)
      const made = await outputs.listFiles(caller.organizationId, idsWithFiles(read.messages))
      const sent = Map.groupBy(read.sentFiles, ({ messageId }) => messageId)
      for (const row of read.messages)
        rows.push(
          toWire(row, {
            files: made.get(row.id) ?? [],
            sent: sent.get(row.id) ?? [],
            usage: usageOf(row),
            versions: read.versions.get(row.id),
          }),
        )
      if (read.messages.length < PAGE) return rows
    }
  }

  /** @throws ChatNotFoundError, ChatNotExportableError for a chat that is too long, or of letters that no font has */
  return async function exportChat(
    caller: Caller,
    path: ChatPath,
    format: ExportFormat,
    signal: AbortSignal,
  ): Promise<ExportedChat> {
    const chat = await chats.get(caller, path, 'read')
    const { title } = chat
    const rows = await readAll(caller, path, signal)
    if (format === 'json')
      return { title, content: `${JSON.stringify({ ...chatToWire(chat), messages: rows }, null, 2)}\n` }
    const content = toMarkdown(
      title,
      rows.map((row) => ({
        query: row.query,
        response: row.response,
        errorMessage: row.error_message,
        citations: row.citations,
        files: row.output_files?.map(({ file_name }) => file_name) ?? [],
      })),
    )
    return { title, content: format === 'md' ? content : await makePdf(caller, title, content, signal) }
  }

  async function makePdf(caller: Caller, title: string, content: string, signal: AbortSignal): Promise<Buffer> {
    if (content.length > MOST_IN_PDF)
      throw new ChatNotExportableError('The chat is too long for a PDF: export it as Markdown or JSON')
    try {
      const made = await fileMaker.make(
        { kind: 'pdf', content, title, page: 'A4', pictures: [] },
        { organizationId: caller.organizationId, signal },
      )
      return made.bytes
    } catch (error) {
      if (!(error instanceof MakeFailure)) throw error
      throw new ChatNotExportableError(`${error.problem} Export the chat as Markdown or JSON.`, { cause: error })
    }
  }
}

const idsWithFiles = (rows: ShownMessage[]): string[] =>
  rows.filter(({ outputCount }) => outputCount > 0).map(({ id }) => id)
