import type { Docent, Question } from '@docent/sdk'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { type ChatMemory, ChatSession, type ChatSnapshot, type Decision } from './chat-session.ts'

export interface UseChatOptions {
  /** Made once, outside of the component: with an API key on a page of your own people, else by `createTokenClient`. */
  client: Docent
  agentId: string
  /** Chat to show. Left out: one that begins with the first question, and is found again after a reload. */
  chatId?: string
  /** Name under which the chat is found again; several chats with one agent on a page need their own. Default: the agent. */
  name?: string
}

export interface UseChat extends ChatSnapshot {
  /** Asks; settled when the answer has ended, of which `status` and the messages tell. */
  send(question: string | Question): Promise<void>
  /** Ends the answer. @throws DocentError */
  stop(): Promise<void>
  /** Allows the tool call that waits. @throws DocentError `FORBIDDEN` with a virtual user's token */
  approve(note?: string): Promise<void>
  /** Refuses it. @throws DocentError */
  reject(note?: string): Promise<void>
  /** Answers the agent's question. @throws DocentError */
  answer(text: string): Promise<void>
  /** Continues after the connection was lost; by itself when the browser is online again. */
  resume(): Promise<void>
  /** Begins another chat. */
  clear(): void
}

/** A chat with an agent: its messages with citations and reviews, as they come and after a reload. */
export function useChat({ client, agentId, chatId, name = agentId }: UseChatOptions): UseChat {
  const session = useMemo(
    () => new ChatSession(client, agentId, chatId, chatId === undefined ? memoryOf(name) : NO_MEMORY),
    [client, agentId, chatId, name],
  )
  const snapshot = useSyncExternalStore(session.subscribe, session.snapshot, session.snapshot)
  useEffect(() => {
    const resume = () => {
      // It tells its failures in the snapshot.
      session.resume().catch(() => undefined)
    }
    resume()
    globalThis.addEventListener('online', resume)
    return () => {
      globalThis.removeEventListener('online', resume)
      session.leave()
    }
  }, [session])
  const acts = useMemo(() => actsOf(session), [session])
  return { ...snapshot, ...acts }
}

const actsOf = (session: ChatSession) => {
  const decide = (decision: Decision) => session.review(decision)
  return {
    send: (question: string | Question) => session.send(question),
    stop: () => session.stop(),
    approve: (note?: string) => decide({ decision: 'approve', note }),
    reject: (note?: string) => decide({ decision: 'reject', note }),
    answer: (note: string) => decide({ decision: 'answer', note }),
    resume: () => session.resume(),
    clear: () => session.clear(),
  }
}

const NO_MEMORY: ChatMemory = { get: () => undefined, set: () => {} }

/** Storage of the tab; where there is none, or the browser refuses it, a reload begins another chat. */
function memoryOf(name: string): ChatMemory {
  const key = `docent-chat:${name}`
  return {
    get: () => attempt(() => sessionStorage.getItem(key) ?? undefined),
    set: (chatId) =>
      attempt(() => (chatId === undefined ? sessionStorage.removeItem(key) : sessionStorage.setItem(key, chatId))),
  }
}

function attempt<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}
