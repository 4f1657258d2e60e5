import type { Caller } from '../../access/access.ts'
import type { Tx } from '../../db.ts'
import { getUploads, type Upload } from '../../drive/drive.ts'
import { type Clock, isoNow } from '../../platform/clock.ts'
import type { Membership } from '../../platform/cluster/membership/membership.ts'
import { invalidField } from '../../platform/errors.ts'
import type { Queue } from '../../queue/queue.ts'
import type { StoredAttachment } from '../../retrieval/retrieval.ts'
import type { QuotaService } from '../../usage/usage.ts'
import type { EnsureVirtualUser } from '../../users/users.ts'
import type { WebhookService } from '../../webhooks/webhooks.ts'
import type { ChatPlace } from '../chat/chat-places.store.ts'
import type { QueryChat } from '../chat/chats.service.ts'
import { holdChats } from '../chat/chats.store.ts'
import type { Remembered } from '../memory/turns.store.ts'
import { insertMessageFiles } from '../messages/message-files.store.ts'
import { insertMessage, type NewMessage } from '../messages/message-life.store.ts'
import { findMessage } from '../messages/messages.store.ts'
import type { RunDirectory } from '../runs/directory/run-directory.ts'
import type { Given } from '../runs/given.ts'
import { MOST_WAITING } from '../runs/runs.errors.ts'
import type { PreparedQuery } from './prepare-query.ts'
import type { QueryContent } from './queries.schemas.ts'

export interface MessageOptions {
  clock: Clock
  membership: Pick<Membership, 'id'>
  /** Whether this process does work in the background: if not, others answer what is asked asynchronously. */
  answersAsync: boolean
}

export interface StoreQueryOptions extends MessageOptions {
  directory: RunDirectory
  quotas: QuotaService
  ensureVirtualUser: EnsureVirtualUser
  webhooks: WebhookService
  queue: Queue
}

export type Sent = QueryContent & { given?: Given } & (
    | { mode: 'blocking' | 'streaming' }
    | { mode: 'async'; webhook_url: string }
  )

/** A query that may be accepted, in a chat that the caller may use. */
export interface IncomingQuery {
  caller: Caller
  chat: Omit<QueryChat, 'visitorId' | 'memberId' | 'virtualUserId'>
  sent: Sent
  messageId: string
  fingerprint: string
}

export interface StoredQuery extends ChatPlace {
  virtualUserId: string | null
  /** Whether messages may be before it that this process does not run. */
  isBehindOthers: boolean
  /** Memory of the chat, if it was read with it. */
  remembered?: Remembered | undefined
  /** Whether the chat has branches, or may get them before this message is answered. */
  mayBranch: boolean
}

/**
 * Chat with so many waiting messages that there is no room for another; thrown, so that the transaction is rolled back.
 */
export class NoRoomError extends Error {}

export const isAnsweredHere = ({ answersAsync }: Pick<StoreQueryOptions, 'answersAsync'>, { mode }: Sent): boolean =>
  mode !== 'async' || answersAsync

/**
 * Stores a query and all that comes with it, in one transaction, which may run twice.
 * @throws ValidationError for a version of a message that is not there, QuotaExceededError, UploadNotFoundError,
 * NoRoomError, a unique violation for an id that is there
 */
export async function storeQuery(
  options: StoreQueryOptions,
  tx: Tx,
  incoming: IncomingQuery,
  prepared: PreparedQuery,
): Promise<StoredQuery> {
  const { clock, directory, quotas, ensureVirtualUser, webhooks, queue } = options
  const { caller, chat, sent, messageId } = incoming
  const { organizationId, workspaceId } = caller
  if (sent.version_of) await requireVersion(tx, organizationId, chat.id, sent.version_of)
  const files = await getUploads(tx, caller, [...new Set(sent.uploaded_files)], isoNow(clock))
  const { virtual_user_email: email } = sent
  await quotas.require(tx, caller, email)
  const virtualUserId = email ? await ensureVirtualUser(tx, organizationId, workspaceId, email) : null
  const message = messageOf(options, incoming, prepared)
  const chatPlace = await insertMessage(tx, organizationId, { ...message, virtualUserId })
  const at = { organizationId, agentId: chat.agentId, chatId: chat.id, place: chatPlace.place }
  const before = await directory.before(tx, at)
  if (before.count > MOST_WAITING) throw new NoRoomError()
  await insertMessageFiles(tx, organizationId, { id: messageId, chatId: chat.id }, files.map(toAttachment))
  await quotas.count(tx, caller, virtualUserId)
  if (sent.mode === 'async') {
    await webhooks.openDeliveries(tx, organizationId, [{ workspaceId, messageId, url: sent.webhook_url }])
    await queue.enqueue(tx, organizationId, 'chats.answer', { messageId })
  }
  const hasFiles = chatPlace.hasFiles || files.length > 0
  const mayBranch = chatPlace.leafId !== null || sent.version_of !== undefined || before.count > 0
  return { ...chatPlace, virtualUserId, isBehindOthers: before.hasOthers, hasFiles, mayBranch }
}

/** Requires a message of the chat, and keeps it there until the query is stored. */
async function requireVersion(tx: Tx, organizationId: string, chatId: string, messageId: string): Promise<void> {
  await holdChats(tx, organizationId, [chatId])
  const message = await findMessage(tx, organizationId, messageId)
  if (message?.chatId !== chatId) throw invalidField('version_of', 'names no message of this chat')
}

/** Message of a query, before anybody is named who asked it. */
export const messageOf = (
  options: MessageOptions,
  { caller, chat, sent, messageId, fingerprint }: IncomingQuery,
  { query, jobId, folderIds, filters }: PreparedQuery,
): Omit<NewMessage, 'virtualUserId'> => ({
  id: messageId,
  chatId: chat.id,
  agentId: chat.agentId,
  query,
  isPinned: sent.pin_response,
  apiKeyId: caller.keyId,
  rightsHolderId: caller.rightsHolderId,
  mode: sent.mode,
  jobId,
  knowledgeBaseIds: folderIds,
  filters,
  quickActionId: sent.shortcut_id,
  askedModel: sent.model,
  versionOf: sent.version_of,
  quickActionFields: sent.shortcut_id === null ? [] : sent.shortcut_fields_with_values,
  fingerprint,
  processId: isAnsweredHere(options, sent) ? options.membership.id : '',
  createdAt: isoNow(options.clock),
})

const toAttachment = (upload: Upload): StoredAttachment => ({
  id: upload.id,
  blobKey: upload.blobKey,
  fileName: upload.fileName,
  mediaType: upload.mediaType,
  sizeBytes: upload.sizeBytes,
})
