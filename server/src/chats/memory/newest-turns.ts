import { LRUCache } from 'lru-cache'
import type { Db } from '../../db.ts'
import { type WatchableConnection, type WatchedChange, watchRows } from '../../platform/database/sqlite/row-watch.ts'
import { MOST_TURNS } from './budget.ts'
import { isAfter } from './memory.store.ts'
import { listNewestRemembered, type Turn } from './turns.store.ts'

/** The newest turns of a chat, newest first, from the last one on that its summary tells of. */
export interface NewestKnown {
  turns: Turn[]
  /** The newest message that the summary tells of, null where there is none; undefined for a chat without turns. */
  coversId: string | null | undefined
}

export interface NewestTurns {
  /** @param at ISO time: later turns are left out */
  of(organizationId: string, chatId: string, at: string): Promise<NewestKnown>
}

/** Reads them each time. */
export class ReadTurns implements NewestTurns {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  async of(organizationId: string, chatId: string, at: string): Promise<NewestKnown> {
    const turns = await listNewestRemembered(this.#db, organizationId, chatId, { at, limit: MOST_TURNS })
    return { turns, coversId: turns[0]?.coversId }
  }
}

/** Characters of all turns that are kept, with some for each list and turn. */
const MOST_CHARACTERS = 8_000_000
const CHARACTERS_BESIDE = 300

/**
 * Keeps them: on the embedded database, which tells of every row that changes, whoever changes it. An answer is added
 * to what is kept; any other change of an answered message or a summary has the turns of its chat read again, as have
 * a statement that fails, a rollback and a commit of another process.
 */
export class KeptTurns implements NewestTurns {
  readonly #read: ReadTurns
  readonly #others: Pick<WatchableConnection, 'versionOfOthers'>
  /** Newest turns of each chat that has any. */
  readonly #chats = new LRUCache<string, NewestKnown>({ maxSize: MOST_CHARACTERS, sizeCalculation: charactersOf })
  /** Chats that are being read, each with its reader: one that changes meanwhile is taken out, and not kept. */
  readonly #readers = new Map<string, symbol>()
  #version: number

  constructor(db: Db) {
    this.#read = new ReadTurns(db)
    this.#others = watchRows(db, {
      name: 'docent_turns',
      changes: this.#changes(),
      onUndone: () => this.#forgetAll(),
    })
    this.#version = this.#others.versionOfOthers()
  }

  async of(organizationId: string, chatId: string, at: string): Promise<NewestKnown> {
    const version = this.#others.versionOfOthers()
    if (version !== this.#version) this.#forgetAll()
    this.#version = version
    const key = keyOf(organizationId, chatId)
    const kept = this.#chats.get(key)
    if (kept) return kept.turns[0]!.createdAt <= at ? kept : this.#read.of(organizationId, chatId, at)
    const reader = Symbol(key)
    this.#readers.set(key, reader)
    try {
      const found = await this.#read.of(organizationId, chatId, END)
      const isAsItWas = this.#readers.get(key) === reader
      if (isAsItWas && found.turns.length > 0) this.#chats.set(key, found)
      const isInTime = found.turns.length === 0 || found.turns[0]!.createdAt <= at
      return isInTime ? found : await this.#read.of(organizationId, chatId, at)
    } finally {
      if (this.#readers.get(key) === reader) this.#readers.delete(key)
    }
  }

  #changes(): WatchedChange[] {
    const forget = (organizationId: string, chatId: string) => this.#forget(keyOf(organizationId, chatId))
    const isTurn = (row: 'old' | 'new') => `${row}.status = 'completed'`
    const chatOf = (row: 'old' | 'new') => [`${row}.organization_id`, `${row}.chat_id`]
    const update = 'update of organization_id, chat_id, id, created_at, query, response, status'
    const turn = ['new.id', 'new.created_at', 'new.query', 'new.response']
    const message = { table: 'message', tell: forget }
    const memory = { table: 'chat_memory', tell: forget }
    return [
      {
        ...message,
        on: update,
        when: `${isTurn('new')} and not ${isTurn('old')}`,
        columns: [...chatOf('new'), ...turn],
        tell: (organizationId: string, chatId: string, id: string, createdAt: string, query: string, said: string) =>
          this.#add(keyOf(organizationId, chatId), { id, createdAt, query, response: said }),
      },
      { ...message, on: update, when: isTurn('old'), columns: chatOf('old') },
      { ...message, on: update, when: isTurn('old'), columns: chatOf('new') },
      { ...message, on: 'delete', when: isTurn('old'), columns: chatOf('old') },
      { ...message, on: 'insert', when: isTurn('new'), columns: chatOf('new') },
      { ...memory, on: 'insert', columns: chatOf('new') },
      { ...memory, on: 'update', columns: chatOf('old') },
      { ...memory, on: 'update', columns: chatOf('new') },
      { ...memory, on: 'delete', columns: chatOf('old') },
    ]
  }

  #add(key: string, turn: Turn): void {
    this.#readers.delete(key)
    if (turn.response === '') return
    const kept = this.#chats.get(key)
    if (!kept) return
    if (!isAfter(turn, kept.turns[0]!)) this.#forget(key)
    else this.#chats.set(key, { ...kept, turns: [turn, ...kept.turns.slice(0, MOST_TURNS - 1)] })
  }

  #forget(key: string): void {
    this.#readers.delete(key)
    this.#chats.delete(key)
  }

  #forgetAll(): void {
    this.#readers.clear()
    this.#chats.clear()
  }
}

/** Cursor after every message: no time begins with a letter. */
const END = 'Z'

const keyOf = (organizationId: string, chatId: string) => `${organizationId} ${chatId}`

function charactersOf({ turns }: NewestKnown): number {
  return turns.reduce(
    (sum, { query, response }) => sum + query.length + response.length + CHARACTERS_BESIDE,
    CHARACTERS_BESIDE,
  )
}
