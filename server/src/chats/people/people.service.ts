import { type Caller, deleteGrantsOfSubject, moveGrantedFolders } from '../../access/access.ts'
import type { MemoryService } from '../../agents/agents.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { forgetPersonInDrive, movePersonInDrive } from '../../drive/drive.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { commitChecked } from '../../platform/database/statements/commit-checked.ts'
import type { UsageService } from '../../usage/usage.ts'
import type { UserService } from '../../users/users.ts'
import { leaveBranches } from '../branches/branches.store.ts'
import { recountChats } from '../chat/chat-counts.store.ts'
import { holdChats, listChatsOfPerson } from '../chat/chats.store.ts'
import { deleteChatsOf, moveChatsOf } from '../chat/chats-of-person.store.ts'
import type { ChatMemoryService } from '../memory/memory.service.ts'
import { deleteBlobRows } from '../messages/message-blobs.store.ts'
import { moveMessages } from '../messages/message-life.batches.store.ts'
import type { Runs } from '../runs/runs.ts'
import { deleteEmptyChats, deleteMessages } from './erase-person.store.ts'
import { PersonBusyError, SamePersonError } from './people.errors.ts'
import { findUsage, listMessagesBy } from './people.store.ts'

const A_STEP = 100

export interface PeopleServiceOptions extends Pick<KernelParts, 'clock' | 'db' | 'queue' | 'writes'> {
  users: UserService
  runs: Runs
  usage: UsageService
  chatMemory: Pick<ChatMemoryService, 'forget'>
  memories: Pick<MemoryService, 'forgetPerson' | 'movePerson'>
}

/** Traces of virtual users in chats, uploads and files. */
export class PeopleService {
  readonly #options: PeopleServiceOptions

  constructor(options: PeopleServiceOptions) {
    this.#options = options
  }

  /** Chats in which the person asked something, newest first. @throws VirtualUserNotFoundError */
  async chats(caller: Caller, id: string, { page, page_size }: { page: number; page_size: number }) {
    const { db, users } = this.#options
    const user = await users.get(caller, id)
    return listChatsOfPerson(db, caller.organizationId, user.id, {
      memberId: caller.memberId,
      limit: page_size,
      offset: (page - 1) * page_size,
    })
  }

  /** @throws VirtualUserNotFoundError */
  async usage(caller: Caller, id: string) {
    const { db, users } = this.#options
    const user = await users.get(caller, id)
    return findUsage(db, caller.organizationId, user.id)
  }

  /**
   * Merges a person into another one of the workspace: messages, usage, memories, uploads and the e-mail are then the
   * other's, and the profile is gone. Interrupted in the middle, it continues when it is asked for again.
   * @throws VirtualUserNotFoundError, SamePersonError, PersonBusyError
   */
  async merge(caller: Caller, id: string, intoId: string) {
    const { writes, users } = this.#options
    const { organizationId } = caller
    if (id === intoId) throw new SamePersonError()
    const from = await users.getEvenRemoved(caller, id)
    const into = await users.get(caller, intoId)
    let messages = 0
    for (;;) {
      const moved = await writes.commit((tx) =>
        moveMessages(tx, organizationId, { fromId: from.id, toId: into.id, limit: A_STEP }),
      )
      messages += moved
      const result = moved < A_STEP && (await this.#mergeRest(caller, from.id, into.id, messages))
      if (result) return { merged: true as const, ...result }
    }
  }

  /** @returns undefined if messages ended meanwhile: then these have to be moved first. */
  #mergeRest(caller: Caller, fromId: string, intoId: string, messages: number) {
    const { writes, users, usage, clock, memories } = this.#options
    return commitChecked(writes, async (tx) => {
      const { organizationId } = caller
      for (const id of [fromId, intoId].sort()) await users.claimProfile(tx, organizationId, id)
      const left = await listMessagesBy(tx, organizationId, fromId, 1)
      if (left[0]?.status === 'completed') return undefined
      if (left.length > 0) throw new PersonBusyError()
      const memoryCount = await memories.movePerson(tx, organizationId, fromId, intoId)
      await movePersonInDrive(tx, organizationId, fromId, intoId)
      await usage.movePerson(tx, organizationId, fromId, intoId)
      await moveChatsOf(tx, organizationId, fromId, intoId)
      await moveGrantedFolders(tx, organizationId, fromId, intoId, isoNow(clock))
      await users.merge(tx, organizationId, fromId, intoId)
      const details = { messages_moved: messages, memories_moved: memoryCount }
      await recordAudit(tx, caller, {
        action: 'virtual_user.merged',
        at: isoNow(clock),
        target: { type: 'virtual_user', id: fromId },
        details: { into: intoId, ...details },
      })
      return details
    })
  }

  /**
   * Erases the person, a removed profile too: their messages with all that belongs to them, chats that are
   * empty then, what agents remember of them, uploads that wait, and the profile. Documents that they put into folders
   * stay, without their name. If it is cut off in the middle, asking again continues it.
   * @throws VirtualUserNotFoundError
   */
  async erase(caller: Caller, id: string) {
    const { organizationId } = caller
    const user = await this.#options.users.getEvenRemoved(caller, id)
    const erased = { messages: 0, chats: 0 }
    for (;;) {
      const step = await this.#eraseSome(organizationId, user.id)
      erased.messages += step.messages
      erased.chats += step.chats
      const result = step.messages === 0 && (await this.#eraseRest(caller, user.id, erased))
      if (result) return { erased: true as const, ...result }
    }
  }

  /** One step of an erasure. @returns how much it removed; no messages when there are none left. */
  async #eraseSome(organizationId: string, virtualUserId: string) {
    const { db, writes, queue, runs, chatMemory } = this.#options
    const messages = await listMessagesBy(db, organizationId, virtualUserId, A_STEP)
    for (const { id, status } of messages) if (status === 'in_progress') await runs.cancel(organizationId, id)
    if (messages.length === 0) return { messages: 0, chats: 0 }
    const ids = messages.map(({ id }) => id)
    return writes.commit(async (tx) => {
      const blobKeys = await deleteBlobRows(tx, organizationId, ids)
      if (blobKeys.length > 0) await queue.enqueue(tx, organizationId, 'drive.remove-blobs', { blobKeys })
      // Tasks that claim them find them gone, and end their deliveries.
      for (const { id: messageId, status } of messages)
        if (status === 'waiting') await queue.enqueue(tx, organizationId, 'chats.answer', { messageId })
      const chatIds = [...new Set(messages.map(({ chat_id }) => chat_id))].sort()
      for (const chatId of chatIds) await leaveBranches(tx, organizationId, chatId, ids)
      await deleteMessages(tx, organizationId, ids)
      await chatMemory.forget(tx, organizationId, messages.map(toDeleted))
      await holdChats(tx, organizationId, chatIds)
      const chats = await deleteEmptyChats(tx, organizationId, chatIds)
      await recountChats(tx, organizationId, chatIds)
      return { messages: ids.length, chats }
    })
  }

  /** @returns undefined if somebody asked on their behalf meanwhile: then that has to go first. */
  #eraseRest(caller: Caller, id: string, erased: Erased) {
    const { writes, queue, users, usage, clock, memories } = this.#options
    return commitChecked(writes, async (tx) => {
      const { organizationId } = caller
      await users.claimProfile(tx, organizationId, id)
      if ((await listMessagesBy(tx, organizationId, id, 1)).length > 0) return undefined
      const forgotten = await forgetPersonInDrive(tx, organizationId, id)
      const { blobKeys } = forgotten
      if (blobKeys.length > 0) await queue.enqueue(tx, organizationId, 'drive.remove-blobs', { blobKeys })
      const memoryCount = await memories.forgetPerson(tx, organizationId, id)
      await usage.forgetPerson(tx, organizationId, id)
      await deleteGrantsOfSubject(tx, organizationId, id)
      erased.chats += await deleteChatsOf(tx, organizationId, id)
      await users.eraseProfile(tx, organizationId, id)
      const details = {
        messages_deleted: erased.messages,
        chats_deleted: erased.chats,
        memories_deleted: memoryCount,
        uploads_deleted: forgotten.uploads,
        files_anonymised: forgotten.filesAnonymised,
      }
      const target = { type: 'virtual_user', id: id } as const
      await recordAudit(tx, caller, { action: 'virtual_user.erased', at: isoNow(clock), target, details })
      return details
    })
  }
}

interface Erased {
  messages: number
  chats: number
}

const toDeleted = ({ id, chat_id, created_at }: { id: string; chat_id: string; created_at: string }) => ({
  id,
  chatId: chat_id,
  createdAt: created_at,
})
