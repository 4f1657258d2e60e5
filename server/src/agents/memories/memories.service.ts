import type { Caller, FolderReader } from '../../access/access.ts'
import type { Tx } from '../../db.ts'
import { findRestriction } from '../../drive/drive.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { takeAdvisoryLock } from '../../platform/database/statements/advisory-locks.ts'
import { commitChecked } from '../../platform/database/statements/commit-checked.ts'
import { foldCase } from '../../platform/text/text.ts'
import type { UserService } from '../../users/users.ts'
import { MemoryNotFoundError, TooManyMemoriesError } from '../agents.errors.ts'
import {
  deleteMemoriesOfPerson,
  deleteMemory,
  listMemoriesOf,
  listMemoriesOfPerson,
  type MemoryOwner,
  moveMemories,
  type PersonMemory,
  putMemory,
} from './memories.store.ts'

/** Limit for one agent and one person. */
const MOST_MEMORIES = 100

export type MemoryService = ReturnType<typeof createMemoryService>

export interface MemoryServiceOptions extends Pick<KernelParts, 'clock' | 'db' | 'newId' | 'writes'> {
  users: Pick<UserService, 'get'>
}

export interface NewMemory {
  text: string
  topic: string | null
  messageId: string
  /** Holder of the rights with which the message is answered. */
  rightsHolderId: string | null
}

/** Memories of virtual users, from chat to chat: each agent has its own of each person. */
export function createMemoryService({ db, writes, newId, clock, users }: MemoryServiceOptions) {
  return {
    /**
     * Memories that the agent may tell the asker, newest first: somebody who may not read all folders gets nothing that
     * was said where the rights of another member, or those that they had before, counted.
     */
    async forAsker(owner: MemoryOwner, asker: FolderReader): Promise<PersonMemory[]> {
      const memories = await listMemoriesOf(db, owner.organizationId, owner)
      const restriction = memories.length > 0 ? await findRestriction(db, asker) : undefined
      if (!restriction) return memories
      const { since } = restriction
      return memories.filter(({ memberId, updatedAt: at }) => memberId === asker.rightsHolderId && at > since)
    },

    /**
     * Keeps a text; one on the same topic, or with the same words, is replaced. @throws TooManyMemoriesError
     */
    async save(owner: MemoryOwner, { text, topic, messageId, rightsHolderId }: NewMemory): Promise<PersonMemory> {
      const { organizationId, agentId, virtualUserId } = owner
      const topicKey = topic === null ? null : foldCase(topic)
      return commitChecked(writes, async (tx) => {
        await takeAdvisoryLock(tx, 'memories', virtualUserId)
        const known = await listMemoriesOf(tx, organizationId, owner)
        const before =
          known.find((memory) => topicKey !== null && memory.topicKey === topicKey) ??
          known.find((memory) => foldCase(memory.text) === foldCase(text) && (topicKey === null || !memory.topicKey))
        if (!before && known.length >= MOST_MEMORIES) throw new TooManyMemoriesError(MOST_MEMORIES)
        const at = isoNow(clock)
        const memory: PersonMemory = {
          id: before?.id ?? newId(),
          organizationId,
          agentId,
          virtualUserId,
          topic: topic ?? before?.topic ?? null,
          topicKey: topicKey ?? before?.topicKey ?? null,
          text,
          memberId: rightsHolderId,
          messageId,
          createdAt: before?.createdAt ?? at,
          updatedAt: at,
        }
        await putMemory(tx, organizationId, memory)
        return memory
      })
    },

    /** @throws MemoryNotFoundError if the agent remembers no such thing of the person. */
    async forget({ organizationId, agentId, virtualUserId }: MemoryOwner, id: string): Promise<void> {
      const count = await writes.commit((tx) => deleteMemory(tx, organizationId, { virtualUserId, id, agentId }))
      if (count === 0) throw new MemoryNotFoundError()
    },

    /** Memories of a person, newest first. @throws VirtualUserNotFoundError */
    async list(caller: Caller, virtualUserId: string, query: { agent_id?: string; page: number; page_size: number }) {
      const user = await users.get(caller, virtualUserId)
      const { agent_id: agentId, page, page_size } = query
      const range = { agentId, limit: page_size, offset: (page - 1) * page_size }
      return listMemoriesOfPerson(db, caller.organizationId, user.id, range)
    },

    /** @throws VirtualUserNotFoundError, MemoryNotFoundError */
    async remove(caller: Caller, virtualUserId: string, id: string): Promise<void> {
      const user = await users.get(caller, virtualUserId)
      const count = await writes.commit((tx) => deleteMemory(tx, caller.organizationId, { virtualUserId: user.id, id }))
      if (count === 0) throw new MemoryNotFoundError()
    },

    /** Gives all that any agent remembers of a person to another one. @returns how many memories it moved */
    movePerson: (tx: Tx, organizationId: string, fromId: string, toId: string): Promise<number> =>
      moveMemories(tx, organizationId, fromId, toId),

    /** Forgets all that any agent remembers of the person. @returns how many memories it removed */
    forgetPerson: (tx: Tx, organizationId: string, virtualUserId: string): Promise<number> =>
      deleteMemoriesOfPerson(tx, organizationId, virtualUserId),
  }
}
