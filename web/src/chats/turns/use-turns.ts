import { useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { follow, useLiveAnswers } from '../answers/live-answers.ts'
import { type ChatPath, useMessages } from '../chats.queries.ts'
import { type Turn, turnsOf } from './turns.ts'

/** So many of a long chat are drawn at once: what fills a screen. */
const DRAWN_AT_ONCE = 2

/** The questions and answers of a chat, read and on their way, and the source that is open. @param path the same object as long as it is the same chat */
export function useTurns(path: ChatPath) {
  const history = useMessages(path)
  const { data: messages } = history
  const live = useLiveAnswers()
  const [opened, setOpened] = useState<{ messageId: string; index: number } | null>(null)
  const answers = useMemo(
    () => [...live.values()].filter((answer) => answer.path.chatId === path.chatId),
    [live, path.chatId],
  )
  const turns = useMemo(() => turnsOf(messages ?? [], answers), [messages, answers])
  // What still runs at the server although nobody here asked it, or the page was loaded anew, is read to its end.
  useEffect(() => {
    for (const message of messages ?? []) if (message.ai_resolution_status !== 'completed') follow(path, message)
  }, [messages, path])
  const openedTurn = turns.find(({ id }) => id === opened?.messageId)
  return {
    history,
    live,
    answers,
    turns,
    drawn: useDrawn(turns),
    source: openedTurn?.citations.find(({ index }) => index === opened?.index),
    openSource: useCallback((messageId: string, index: number) => setOpened({ messageId, index }), []),
    closeSource: () => setOpened(null),
  }
}

/** The newest turns at once, and those above them when there is time: a long chat keeps no key or click waiting. */
function useDrawn(turns: Turn[]): Turn[] {
  const first = useDeferredValue(turns[0]?.id, turns.at(-DRAWN_AT_ONCE)?.id)
  const from = turns.findIndex(({ id }) => id === first)
  return from === -1 ? turns.slice(-DRAWN_AT_ONCE) : turns.slice(from)
}
