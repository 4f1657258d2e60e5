import { hash } from 'node:crypto'
import type { Caller } from '../../access/access.ts'
import { KeyedMutex } from '../../platform/concurrency/keyed-mutex.ts'
import type { NewId } from '../../platform/ids.ts'
import { findEmailInChat } from '../../users/users.ts'
import type { ChatPath } from '../chat/chats.schemas.ts'
import type { ChatService } from '../chat/chats.service.ts'
import { findMessage } from '../messages/messages.store.ts'
import type { Given } from '../runs/given.ts'
import type { Run } from '../runs/run.ts'
import { type AcceptOptions, acceptQuery } from './accept.ts'
import type { Answer } from './answer.ts'
import { answerAgain } from './answer-again.ts'
import type { SendAsyncQuery, SendQuery } from './queries.schemas.ts'
import { type ResumeOptions, resumeMessage, type TaskControl } from './resume.ts'
import type { Sent } from './store-query.ts'

export interface QueryServiceOptions extends AcceptOptions, ResumeOptions {
  newId: NewId
  chats: Pick<ChatService, 'getForQuery'>
}

export class QueryService {
  readonly #options: QueryServiceOptions
  /** Held by a query whose caller chose the id, until it is accepted: equal ones wait for the first. */
  readonly #accepting = new KeyedMutex()

  constructor(options: QueryServiceOptions) {
    this.#options = options
  }

  /**
   * Stores the query and answers it once it is first in its chat. The same `message_id` with the same content gives the
   * same answer, however often it is sent.
   * @throws ChatNotFoundError and the like, MessageIdConflictError, QuotaExceededError, ChatFullError when 16 queries wait
   *   in the chat
   */
  send(caller: Caller, path: ChatPath, { is_stream, ...query }: SendQuery, given?: Given): Promise<Answer> {
    return this.#once(caller, path, { ...query, mode: is_stream ? 'streaming' : 'blocking', ...(given && { given }) })
  }

  /**
   * Stores the query and answers it in the background: message, task and delivery are committed together, so that what was
   * accepted is answered and delivered even if this process does not live to do it.
   * @throws WebhookUrlNotAllowedError
   */
  sendAsync(caller: Caller, path: ChatPath, query: SendAsyncQuery): Promise<Answer> {
    return this.#once(caller, path, { ...query, mode: 'async' })
  }

  /** Continues a message for its task; see `resumeMessage`. */
  resume(organizationId: string, messageId: string, control: TaskControl): Promise<Run | undefined> {
    return resumeMessage(this.#options, organizationId, messageId, control)
  }

  #once(caller: Caller, path: ChatPath, query: Sent): Promise<Answer> {
    const send = () => this.#send(caller, path, query)
    return query.message_id ? this.#accepting.run(`${caller.organizationId}:${query.message_id}`, send) : send()
  }

  async #send(caller: Caller, path: ChatPath, sent: Sent): Promise<Answer> {
    const { db, chats, webhooks, newId, plainQueries } = this.#options
    const fingerprint = fingerprintOf(path, sent)
    const messageId = sent.message_id ?? newId()
    const unseen = { caller, chatId: path.chat_id, sent, messageId, fingerprint }
    const answer = await plainQueries.accept(this.#options, path.agent_id, unseen)
    if (answer) return answer
    const { agent, chat } = await chats.getForQuery(caller, path)
    if (sent.mode === 'async') await webhooks.requireAllowedUrl(sent.webhook_url)
    const known = sent.message_id && (await findMessage(db, caller.organizationId, sent.message_id))
    if (known) return answerAgain(this.#options, caller, known, { chatId: chat.id, fingerprint })
    const { virtualUserId } = chat
    const virtual_user_email =
      virtualUserId && (await findEmailInChat(db, caller, virtualUserId, sent.virtual_user_email))
    const attributed = virtual_user_email ? { ...sent, virtual_user_email } : sent
    return acceptQuery(this.#options, agent, { caller, chat, sent: attributed, messageId, fingerprint })
  }
}

/** Hash that distinguishes a retry from a clash of ids; how the answer is sent is not part of it. */
function fingerprintOf(path: ChatPath, { message_id: _, mode: __, ...content }: Sent): string {
  return hash('sha256', JSON.stringify([path.agent_id, path.chat_id, content]), 'base64')
}
